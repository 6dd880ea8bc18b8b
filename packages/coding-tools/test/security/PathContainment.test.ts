import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { assertPathInsideRoots, isPathInside, isPathInsideReal } from "../../src/security/PathContainment.ts"

let base: string
let root: string
let outside: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "prism-containment-")))
  root = join(base, "root")
  outside = join(base, "outside")
  await mkdir(join(root, "dir"), { recursive: true })
  await mkdir(join(outside, "deep"), { recursive: true })
  await writeFile(join(outside, "secret"), "")
  await writeFile(join(root, "file"), "")
})
afterEach(() => rm(base, { recursive: true, force: true }))

/** Each path below the root, as asked of the roots. */
const answers = (paths: ReadonlyArray<string>) =>
  Promise.all(paths.map(async (path) => [path, await isPathInsideReal(root, `${root}/${path}`)] as const))
const all = (paths: ReadonlyArray<string>, answer: boolean) => paths.map((path) => [path, answer] as const)

describe("isPathInside", () => {
  it("CS11: a name is inside below a separator only, and ..foo is a name", () => {
    for (const [target, inside] of [
      ["/a/bc", false],
      ["/a", false],
      ["/a/b/../c", false],
      ["/a/b/..", false],
      ["/a/b", true],
      ["/a/b/", true],
      ["/a/b/c/../d", true],
      ["/a/b/..foo", true],
      ["/a/b/...", true]
    ] as const) {
      assert.strictEqual(isPathInside("/a/b", target), inside, target)
    }
    assert.isTrue(isPathInside("/", "/etc"))
  })
})

describe("isPathInsideReal", () => {
  it("CS12, CS13: matrix row 12: links that lead out are outside, whatever of them exists", async () => {
    await symlink(join(outside, "secret"), join(root, "link"))
    await symlink(outside, join(root, "dirlink"))
    await symlink(join(outside, "none"), join(root, "dangling"))
    await symlink(join(root, "link"), join(root, "chain"))
    await symlink("loop2", join(root, "loop1"))
    await symlink("loop1", join(root, "loop2"))
    await symlink(join(root, "none"), join(root, "inner-dangling"))
    await symlink("..", join(root, "up"))
    const paths = [
      "link",
      "dirlink",
      "dirlink/secret",
      "dirlink/new/file",
      "dangling",
      "dangling/",
      "dangling/below",
      "chain",
      "loop1",
      "loop1/below",
      "inner-dangling",
      "file/below",
      "up/outside/secret",
      "up/none"
    ]
    assert.deepEqual(await answers(paths), all(paths, false))
  })

  it("CS11, CS12: what does not exist is inside below a directory that is", async () => {
    await symlink(join(root, "dir"), join(root, "within"))
    const paths = ["", "dir", "file", "new", "new/dir/file", "within/new/file", "..foo", "..foo/bar", "dir/./new//x"]
    assert.deepEqual(await answers(paths), all(paths, true))
  })

  it("CS12: .. counts as the system takes it and as text takes it", async () => {
    await symlink(join(outside, "deep"), join(root, "away"))
    await mkdir(join(root, "a/b/c"), { recursive: true })
    await symlink(join(root, "a/b/c"), join(root, "down"))
    const refused = [
      "away/../secret",
      "new/../../outside/secret",
      "new/..",
      "none/../file",
      "down/../../../../x",
      "../outside"
    ]
    assert.deepEqual(await answers(refused), all(refused, false))
    const allowed = ["dir/../file", "dir/../dir/new"]
    assert.deepEqual(await answers(allowed), all(allowed, true))
  })

  it.skipIf(process.platform !== "linux")("CS11: a way around by /proc is followed", async () => {
    assert.isFalse(await isPathInsideReal(root, `/proc/self/root${outside}/secret`))
    assert.isTrue(await isPathInsideReal(root, `/proc/self/root${root}/file`))
    assert.isFalse(await isPathInsideReal("/proc/self", "/proc/self/cwd/package.json"))
  })

  it("CS13: whatever is odd is outside, and nothing throws", async () => {
    for (const target of ["", "\0", `${root}/a\0b`, `${root}/${"x".repeat(5_000)}`]) {
      assert.isFalse(await isPathInsideReal(root, target))
    }
    const odd: ReadonlyArray<unknown> = [undefined, null, 7, {}, [root]]
    for (const target of odd) {
      assert.isFalse(await isPathInsideReal(root, target as string))
    }
  })

  it("CS14: the answer is given afresh each time", async () => {
    const link = join(root, "moving")
    await symlink(join(root, "dir"), link)
    assert.isTrue(await isPathInsideReal(root, join(link, "x")))
    await rm(link)
    await symlink(outside, link)
    assert.isFalse(await isPathInsideReal(root, join(link, "x")))
  })
})

describe("assertPathInsideRoots", () => {
  it("CS14: a root that cannot be resolved contains nothing, any root will do, and a root may be a link", async () => {
    await symlink(root, join(base, "alias"))
    await symlink(join(base, "none"), join(base, "broken"))
    const file = join(root, "file")
    assert.isFalse(await assertPathInsideRoots([], file))
    assert.isFalse(await assertPathInsideRoots([""], file))
    assert.isFalse(await assertPathInsideRoots([join(base, "none")], join(base, "none", "x")))
    assert.isFalse(await assertPathInsideRoots([join(base, "broken")], join(base, "broken")))
    assert.isFalse(await assertPathInsideRoots([join(root, "file")], join(root, "fi")))
    assert.isTrue(await assertPathInsideRoots([join(base, "none"), root], file))
    assert.isTrue(await assertPathInsideRoots([join(base, "alias")], file))
    assert.isTrue(await assertPathInsideRoots([root], join(base, "alias", "new")))
    assert.isTrue(await assertPathInsideRoots([root + sep], file))
  })
})
