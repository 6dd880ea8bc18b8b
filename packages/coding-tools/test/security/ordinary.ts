/** Command lines of everyday work that only read. */
const LINES = String.raw`
ls
ls -la
ls -la src
ls src test docs
ls -R packages | head -50
ls *.ts
ls src/*.ts
ls src/**/*.ts
ls -lh dist/ | sort -k5 -h
ls -1 | wc -l
ls -t | head -1
ls ~/projects
ls $HOME
ls "$HOME/.config"
ls -d */
pwd
pwd && ls
cd src && ls
cd packages/core && git status
cd .. && pwd
cat package.json
cat -n src/index.ts
cat src/a.ts src/b.ts
cat package.json | jq .version
cat package.json | jq '.scripts'
cat package.json | grep version
cat README.md | head -20
cat src/index.ts | sed -n '1,40p'
cat < README.md
cat /etc/os-release
cat file 2>/dev/null
cat file 2>/dev/null || echo missing
cat *.md | wc -w
head README.md
head -n 20 README.md
head -c 100 README.md
head -20 src/*.ts
tail -n 50 log.txt
tail -100 log.txt | grep ERROR
tail -n +10 file
wc -l src/index.ts
wc -l src/*.ts
wc -l $(git ls-files)
find . -name '*.ts' | xargs wc -l
find . -name '*.ts' -print0 | xargs -0 wc -l
find . -type f -name "*.ts" -not -path "*/node_modules/*" | wc -l
find . -type f | head
find . -maxdepth 2 -type d
find src -name '*.test.ts' | sort
find src -newer package.json
find . -size +1M
find . -mtime -1 -type f
find . -type f -name '*.json' -exec grep -l foo {} +
find . -type f -name '*.json' -exec grep -l foo {} \;
find . -name '*.ts' -exec wc -l {} + | sort -n | tail -5
find . \( -name '*.ts' -o -name '*.js' \) -print
find . -path ./node_modules -prune -o -name '*.ts' -print
find . -empty
find . -name "*.md" | while read -r f; do wc -l "$f"; done
find . -type f | grep -v node_modules | grep '\.ts$'
find . -type f -name '*.ts' | xargs grep -n TODO
find . -type f -name '*.ts' | xargs -I{} wc -l {}
find . -type f | sed 's/.*\.//' | sort | uniq -c | sort -rn
grep foo file
grep -r foo .
grep -rn "foo bar" src
grep -rn 'TODO' src | wc -l
grep -rn --include='*.ts' 'export const' packages
grep -rl foo src | head
grep -E 'a|b' file
grep -c foo file
grep -v '^#' file
grep -A3 -B3 foo file
grep -i error log.txt | tail -5
grep -rn "function \w\+(" src | sort | uniq | head -20
grep -q foo file && echo found
grep -q foo file && echo yes || echo no
grep -rnw 'sudoers' docs
grep -n '$(' script.sh
grep -n '\$HOME' script.sh
grep -o '[a-z]*' file | sort -u
grep -rhoE 'import .* from "[^"]+"' src | sort | uniq -c
rg foo
rg -n foo src
rg -l foo -g '*.ts'
rg --files | head
rg --files -g '*.ts' | wc -l
rg -i 'todo|fixme' src
rg -A 3 -B 3 foo
rg -t ts 'class \w+'
rg 'a b' src | head -30
fd '\.ts$' src
fd -e ts
tree -L 2
tree -L 2 -I node_modules
tree src | head -40
diff a b
diff -u a b
diff -r dir1 dir2
diff <(ls a) <(ls b)
diff <(sort a) <(sort b) | head
cmp a b
comm -12 <(sort a) <(sort b)
sort file
sort -u file
sort -n -k2 file | head
sort file | uniq -c
uniq file
uniq -c file
cut -d: -f1 /etc/passwd
cut -d, -f2,3 data.csv | sort | uniq
tr a-z A-Z < file
echo hello | tr a-z A-Z
echo hello
echo "hello world"
echo 'single quoted; not a list'
echo "$HOME"
echo $PATH
echo $PATH | tr ':' '\n'
echo "$(pwd)"
echo "branch: $(git branch --show-current)"
echo "files: $(ls | wc -l)"
echo $?
echo $((1 + 2))
echo -n x
echo "---"; ls
echo a; echo b
printf '%s\n' a b
printf "%d\n" 3
printf 'x\n' | wc -c
sed -n '1,20p' file
sed -n 5p file
sed -n '10,$p' file
sed -n '/start/p' file
sed 's/a/b/' file
sed 's/foo/bar/g' file | head
sed -E 's/[0-9]+/N/g' log.txt | sort | uniq -c
sed 20q file
awk '{print $1}' file
awk -F: '{print $1}' /etc/passwd
awk -F, '{ print $2 }' data.csv | sort -u
awk '{s+=$1} END {print s}' file
awk 'NR==10' file
awk 'NR % 2 == 0 {print}' file
awk 'length($0)' file
ls -l | awk '{print $5, $9}'
stat file
stat -c %s file
file dist/index.js
du -sh .
du -sh * | sort -h
du -h --max-depth=1 | sort -rh | head
df -h
basename /a/b/c.txt
dirname /a/b/c.txt
realpath src
readlink -f node_modules/x
md5sum file
sha256sum file
sha256sum *.tgz
base64 file | head -1
od -c file | head
hexdump -C file | head
nl file
tac log | head
rev file
fold -w 80 file
column -t file
paste a b
join a b
date
date +%s
date -u +%Y-%m-%d
date -d yesterday
cal
whoami
id
id -u
groups
hostname
uname -a
uname -r
uptime
nproc
free -m
ps aux
ps aux | grep node
ps aux | grep -v grep | grep node
ps -ef | head
pgrep -l node
env
env | sort
env | grep NODE
printenv PATH
which node
which node npm git
type ls
command -v git
command -v node >/dev/null && echo yes
command -v docker >/dev/null 2>&1 || echo "no docker"
node --version
node -v
npm --version
npm -v && node -v
python3 --version
git --version
go version
tsc --version
npm ls
npm ls --depth=0
npm ls effect
npm root
npm explain effect
git status
git status -s
git status --porcelain
git status && git diff
git status; git log -1
git diff
git diff --stat
git diff HEAD~1
git diff HEAD~1 -- src/index.ts
git diff main...HEAD --stat
git diff --cached
git diff --name-only | head
git diff --name-only main | xargs wc -l
git diff --no-color | cat
git log
git log --oneline
git log --oneline -10
git log --oneline -n 20 --graph --all
git log -p -1 -- src/index.ts
git log --since='2 weeks ago' --author=me
git log --format='%h %s' | head -20
git log --pretty=format:'%h %an %s'
git log --oneline | wc -l
git log main..HEAD
git --no-pager log -3
git -C packages/core log -1
GIT_PAGER=cat git log -3
git show
git show HEAD
git show HEAD:package.json | head
git show --stat HEAD~2
git show HEAD:package.json | jq -r .version
git blame src/index.ts | head
git blame -L 10,20 src/index.ts
git branch
git branch -a
git branch --show-current
git branch -vv
git tag
git tag -l
git remote -v
git rev-parse HEAD
git rev-parse --show-toplevel
git rev-parse --abbrev-ref HEAD
git ls-files
git ls-files | wc -l
git ls-files '*.ts' | head
git ls-files | grep test | wc -l
git ls-files -m -o --exclude-standard
git ls-tree -r HEAD --name-only
git grep -n foo
git grep -n 'foo bar' -- '*.ts'
git stash list
git config --list
git config --get user.name
git describe --tags
git shortlog -sn | head
git reflog
git worktree list
git merge-base main HEAD
git cat-file -p HEAD
git cat-file -t HEAD
git rev-list --count HEAD
git submodule status
git for-each-ref --sort=-committerdate
git check-ignore -v dist
test -f package.json && echo yes
test -d src || echo none
[ -f package.json ] && cat package.json
[ -d node_modules ] && ls node_modules | head
[[ -f tsconfig.json ]] && cat tsconfig.json
if [ -f a ]; then cat a; else echo none; fi
if grep -q foo file; then echo found; fi
for f in a b c; do echo $f; done
for f in src/*.ts; do wc -l "$f"; done
for f in *.md; do head -1 "$f"; done
for i in 1 2 3; do echo "n $i"; done
for d in packages/*/; do echo "$d"; ls "$d" | head -3; done
for f in $(git ls-files '*.md'); do grep -c foo "$f"; done
while read -r line; do echo "$line"; done < file
cat file | while read -r line; do echo "$line"; done
n=$(ls | wc -l); echo "$n files"
dir=src; ls "$dir"
root=$(git rev-parse --show-toplevel); echo "$root"
(cd src && ls)
{ ls; pwd; }
{ ls; pwd; } | sort
time ls
time git status
timeout 5 git status
timeout 10s grep -r foo .
nice -n 10 find . -name x
LC_ALL=C sort file
LC_ALL=C ls | head
TZ=UTC date
NO_COLOR=1 rg foo
env LC_ALL=C sort file
bash -c 'ls | head'
sh -c "git status && pwd"
ls && echo ok || echo failed
ls 2>&1 | head
ls nowhere 2>&1
ls > /dev/null
ls >/dev/null 2>&1 && echo ok
ls &> /dev/null; echo $?
git status 2>&1 | tail -3
! grep -q foo file
set -e; ls; pwd
set -euo pipefail; git log -1 | head
true && ls
jq . package.json
jq -r '.dependencies | keys[]' package.json
jq '.scripts["test"]' package.json
jq -r '.workspaces[]' package.json | while read -r w; do ls "$w"; done
seq 1 10
seq 3 | xargs
expr 1 + 2
sleep 1
sleep 1; ls
lscpu | grep Model
getent passwd root
zcat log.gz | head
column -s, -t data.csv | head
strings dist/x | head
xxd file | head
less file
ss -ltn
lsof -i :3000
`

const MANY_LINES: ReadonlyArray<string> = [
  "ls\npwd",
  "git status\ngit diff --stat",
  "ls \\\n  -la",
  "cat <<'E'\n$(not run)\nE",
  "cat <<E\nplain text\nE",
  "cat <<E | wc -l\na\nb\nE",
  "# look around\nls\n# and where\npwd",
  "for f in a b\ndo\n  cat $f\ndone",
  "if [ -f a ]\nthen\n  cat a\nfi",
  "grep -rn foo src \\\n  | head -20"
]

export const ordinary: ReadonlyArray<string> = [...LINES.split("\n").filter((line) => line !== ""), ...MANY_LINES]
