/** Command lines that try to slip past rules which allow programs that read. */

import { PROGRAM_EVASIONS } from "./programEvasions.ts"

/** Each would write, run or change something that no rule allows. Lines with line breaks stand apart. */
const ONE_LINE_EVASIONS = String.raw`
ls; rm x
ls && rm x
ls || rm x
ls & rm x
ls | xargs rm
ls |& tee x
false || rm -r build
! rm x
time rm x
time -p rm x
( rm x )
{ rm x; }
ls; { ls; rm x; }
( ls; ( ls; rm x ) )
if true; then rm x; fi
if rm x; then ls; fi
if ls; then ls; else rm x; fi
if ls; then ls; elif rm x; then ls; fi
while rm x; do ls; done
until ls; do rm x; done
for f in a; do rm $f; done
for f in $(rm x); do ls; done
for ((i=$(rm x);i<1;i++)); do ls; done
case x in x) rm x;; esac
case $(rm x) in x) ls;; esac
case x in $(rm x)) ls;; esac
select f in a; do rm x; done
f() { rm x; }; f
ls() { rm x; }; ls
function ls { rm x; }; ls
f() { "$@"; }; f rm x
f() ( rm x ); f
coproc rm x
echo $(rm x)
echo "$(rm x)"
echo "a $(echo "b $(rm x)")"
echo ${"`"}rm x${"`"}
echo "${"`"}rm x${"`"}"
cat <(rm x)
cat < <(rm x)
ls > >(rm x)
ls "\${x:-$(rm x)}"
ls \${x:=$(rm x)}
ls \${x/a/$(rm x)}
echo \${a[$(rm x)]}
echo $((a[$(rm x)]))
echo $(( $(rm x) ))
echo $[ $(rm x) ]
(( a[$(rm x)] ))
[[ $(rm x) == y ]]
[[ -f x && $(rm x) ]]
a=$(rm x)
a=$(rm x) ls
a=($(rm x))
a[$(rm x)]=1
a+=$(rm x)
cat <<< $(rm x)
ls <$(rm x)
ls 2>$(rm x)
env rm x
env -i rm x
env -u A rm x
env LANG=C rm x
env -S "rm x"
env -C /tmp rm x
/usr/bin/env rm x
nice rm x
nice -n 5 rm x
nice -5 rm x
nohup rm x
timeout 5 rm x
timeout -s KILL 5 rm x
timeout -k 1 5 rm x
timeout --foreground 5 rm x
xargs rm
xargs -0 rm
xargs -n 1 rm
xargs -I{} rm {}
xargs -I % sh -c %
xargs sh -c
xargs -I{} sh -c "ls {}"
xargs bash
xargs -I a find a
xargs -I. find .
xargs --replace=x find x
nice -n $x ls
timeout -- $x ls
env LANG=$x ls
timeout $x 5 ls
find . -exec find {} -delete \;
ls "x$@"; find "./$@"
ls | while read -r x; do find "$x"; done
echo rm | xargs -I{} {} x
echo x | xargs env
xargs -a x rm
command rm x
command -p rm x
builtin eval rm x
exec rm x
exec -a ls rm x
stdbuf -oL rm x
setsid rm x
setsid -f rm x
ionice -c 3 rm x
nice nohup timeout 5 env rm x
find . -delete
find . -name x -delete
find . -exec rm {} \;
find . -exec rm {} +
find . -execdir rm {} \;
find . -ok rm {} \;
find . -exec sh -c 'rm x' \;
find . -exec sh -c {} \;
find . -exec {} \;
find . -exec env rm {} \;
find . -fprint x
find . -fprintf x y
find . -fls x
find . "-delete"
find . -del''ete
find . $'-delete'
find . $'\x2ddelete'
find . -{delete,print}
find . {-delete,}
find . $x
find . "$x"
x=-delete; find . $x
x=-delete; find . "$x"
for x in -delete; do find . $x; done
sh -c 'rm x'
bash -c 'rm x'
bash -c "ls; rm x"
bash -ec 'rm x'
bash -x -c 'rm x'
bash -c -- 'rm x'
bash -c 'bash -c "rm x"'
bash -c "$x"
bash -c "$(cat x)"
bash -c 'eval "$0"' 'rm x'
bash -i -c ls
bash -O expand_aliases -c ls
bash --rcfile x -c ls
bash x.sh
bash <x
bash < <(echo rm x)
bash <<< 'rm x'
echo rm x | sh
echo rm x | bash -s
cat x | bash
/bin/sh -c 'rm x'
dash -c 'rm x'
zsh -c ls
ksh -c ls
eval ls
eval 'rm x'
eval "$(echo rm x)"
. x
source x
alias ls=rm; ls
unalias ls
trap 'rm x' EXIT
trap ls EXIT
enable -f x y
hash -p /tmp/x ls; ls
set -a; ls
shopt -s expand_aliases; ls
bind x
complete -C rm ls
mapfile -C rm x
let 'a[$(rm x)]'
read 'a[$(rm x)]'
read PATH
printf -v PATH x
printf -v 'a[$(rm x)]' x
test -v 'a[$(rm x)]'
[ -v 'a[$(rm x)]' ]
[[ -v 'a[$(rm x)]' ]]
[[ 'a[$(rm x)]' -eq 1 ]]
x='a[$(rm x)]'; echo $((x))
x='a[$(rm x)]'; echo \${y:x}
x='a[$(rm x)]'; echo \${y[x]}
x='a[$(rm x)]'; echo \${!x}
x='$(rm x)'; echo \${x@P}
declare -i x='a[$(rm x)]'
declare -n x=PATH
PATH=/tmp ls
PATH=/tmp; ls
export PATH=/tmp
export "PATH=/tmp"
LD_PRELOAD=x ls
env LD_PRELOAD=x ls
env PATH=/tmp ls
BASH_ENV=x bash -c ls
IFS=x; ls
for PATH in /tmp; do ls; done
GIT_EXTERNAL_DIFF=x git diff
GIT_PAGER=rm git log
PAGER='sh -c x' git log
LESSOPEN='|rm x' cat x
NODE_OPTIONS=--require=x node --version
rg --pre rm x
sort --compress-program=rm x
sort -o x x
sort -uo x x
sort "-ox" x
uniq a b
tree -o x
fd -x rm
fd . --exec rm
git -c core.pager=rm log
git -c alias.x=!rm x
git --exec-path=x status
git diff --output=x
git diff --out=x
git diff --ext-diff
git grep -O rm
git grep --open-files-in-pager=rm x
git checkout x
git branch -D x
git branch new
git tag x
git config core.pager rm
git push
git ls-remote ext::rm
sed -i s/a/b/ x
sed s/a/b/w x
sed -n 'w x' y
sed 's/a/rm x/e' y
sed 1e y
sed -f x y
awk 'BEGIN { system("rm x") }'
awk '{ print > "x" }' y
awk '{ print | "rm x" }' y
awk "$x" y
awk -f x y
date -s 1
file -C -m x
r\m x
'r'm x
"rm" x
r"m" x
$'rm' x
$'\x72\x6d' x
$'\162m' x
$"rm" x
{rm,x}
r{m,} x
/bin/rm x
./rm x
../rm x
~/rm x
?m x
r[m] x
/bin/r*
$x
$x y
"$x" y
\${x} y
\${x:-rm} y
$(echo rm) x
${"`"}echo rm${"`"} x
$0 x
"" x
@(rm) x
'ls x'
"ls -la"
echo cm0geAo= | base64 -d | sh
base64 -i script -o .git/hooks/pre-commit
base64 --output=.bashrc script
arch -arm64 rm -rf /
ls > x
ls >> x
ls >| x
ls &> x
ls &>> x
ls >& x
ls <> x
> x
>x ls
ls 2> x
ls 3> x
ls {fd}> x
ls > "$x"
ls > /dev/tcp/a/1
cat < /dev/tcp/a/1
cat </dev/udp/a/1
{ ls; } > x
( ls ) > x
for f in a; do ls; done > x
if ls; then ls; fi > x
f() { ls; } > x; f
ls )
ls "
ls '
ls $(
ls |
ls &&
if ls
sudo ls
sudo -u x ls
doas ls
su -c ls
python3 -c 'x'
node -e x
perl -e x
tee x
cp a b
mv a b
ln -s a b
chmod +x a
touch a
mkdir a
dd of=x
curl x
wget x
ssh x
kill 1
npm install
npx x
make
jobs -x rm x
busybox rm x
watch rm x
script -c rm
`

const MANY_LINES: ReadonlyArray<string> = [
  "ls\nrm x",
  "ls\r\nrm x",
  "ls #\nrm x",
  "ls \\\n; rm x",
  "r\\\nm x",
  "ls &&\nrm x",
  "ls |\nrm x",
  "ls\n\n\n  rm x",
  "'ls'\n'rm' x",
  "cat <<E\n$(rm x)\nE",
  "cat <<E\n`rm x`\nE",
  "cat <<E\n${x:-$(rm x)}\nE",
  "cat <<-E\n\t$(rm x)\n\tE",
  "cat <<E; rm x\nE",
  "cat <<E | sh\nrm x\nE",
  "cat <<'E'\nE\nrm x",
  "cat <<'E' && rm x\nE",
  "bash <<E\nrm x\nE",
  "bash <<'E'\nrm x\nE",
  "bash <<E\n$x\nE",
  "sh -s <<'E'\nrm x\nE",
  "bash <<'E' <&3\nls\nE",
  "cat <<E\nls",
  "bash <<'E'\nhead -c 5\necho rm x\nE",
  "bash <<'E'\nread -r x\ncat <<F\nrm x\nF\nE",
  "bash <<-E\n\tcat <<X\n\tX\n\trm x\nX\nE",
  'cat <<"E"\nE\nrm x',
  `awk 'BEGIN {\nsystem("rm x") }'`,
  `awk '\n@load "x"\n{}'`,
  `awk '{ print }\n{ "x"\n getline }' file`,
  "if ls\nthen rm x\nfi",
  "for f in a\ndo\nrm x\ndone",
  "case x in\nx) rm x\nesac",
  "f()\n{ rm x; }\nf",
  "echo $(\nrm x\n)",
  "echo $'a\\\nb'; rm x",
  "ls\u00a0; rm x",
  "ls\u2028rm x",
  "ls\0rm x",
  "l\u200bs",
  "",
  " ",
  "# ls",
  "\trm x"
]

/** `\${` is a dollar sign and a brace: in a template it cannot stand for itself. */
const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replaceAll("\\${", "${"))

export const evasions: ReadonlyArray<string> = [
  ...linesOf(ONE_LINE_EVASIONS),
  ...linesOf(PROGRAM_EVASIONS),
  ...MANY_LINES
]
