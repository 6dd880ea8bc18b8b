import { existsSync, readdirSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type Page, pages, proseOf, readPage, repository } from "./pages.ts"

interface Link {
  readonly where: string
  /** Relative to the repository; that of the page itself for a link to one of its own headings. */
  readonly file: string
  readonly anchor: string | undefined
}

const isElsewhere = (target: string): boolean => /^[a-z]+:/.test(target)

const linksOf = (page: Page): ReadonlyArray<Link> =>
  proseOf(page).flatMap((line, at) =>
    [...line.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
      if (isElsewhere(target)) return []
      const [path = "", anchor] = target.split("#")
      const file = path === "" ? page.name : normalize(join(dirname(page.name), path))
      return [{ where: `${page.name}:${at + 1} ${target}`, file, anchor }]
    })
  )

/** As GitHub makes them of headings. */
const anchorsOf = (page: Page): ReadonlyArray<string> =>
  proseOf(page).flatMap((line) => {
    const heading = /^#+ (.*)$/.exec(line)?.[1]
    if (heading === undefined) return []
    const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    return [words.trim().replaceAll(" ", "-")]
  })

const links = pages.flatMap(linksOf)
const changesets = readdirSync(join(repository, ".changeset"))
  .filter((file) => file.endsWith(".md"))
  .map((file) => readPage(`.changeset/${file}`))

describe("links", () => {
  it("lead to files that exist", () => {
    const dead = links.filter(({ file }) => file.startsWith("..") || !existsSync(join(repository, file)))
    assert.deepStrictEqual(
      dead.map(({ where }) => where),
      []
    )
    assert.isAbove(links.length, 20)
  })

  it("lead to headings that exist", () => {
    const dead = links.filter(({ anchor, file }) => {
      if (anchor === undefined) return false
      const page = pages.find(({ name }) => name === file)
      return page === undefined || !anchorsOf(page).includes(anchor)
    })
    assert.deepStrictEqual(
      dead.map(({ where }) => where),
      []
    )
    assert.include(
      links.map(({ anchor }) => anchor),
      "check-a-tool"
    )
  })

  it("lead from the README to every page", () => {
    const listed = new Set(links.filter(({ where }) => where.startsWith("README.md:")).map(({ file }) => file))
    const unlisted = pages.filter(({ name }) => name !== "README.md" && !listed.has(name))
    assert.deepStrictEqual(
      unlisted.map(({ name }) => name),
      []
    )
  })
})

/** What no page says: where somebody's files are, which host packages come from, what is still to be done. */
const FORBIDDEN: ReadonlyArray<RegExp> = [/(^|[\s"'`(=:])\/(work|home|root|tmp)\b/, /registry\.npmjs/, /\bTODO\b/]

describe("pages", () => {
  it("speak of the project alone", () => {
    const found = [...pages, ...changesets].flatMap(({ name, text }) =>
      text
        .split("\n")
        .flatMap((line, at) =>
          FORBIDDEN.some((pattern) => pattern.test(line)) ? [`${name}:${at + 1} ${line.trim()}`] : []
        )
    )
    assert.deepStrictEqual(found, [])
  })

  it("would be caught if they named one of these", () => {
    const lines = ["see /home/me/notes", "`/tmp/x`", "from registry.npmjs.org", "TODO: later", "https://a.example/work"]
    assert.deepStrictEqual(
      lines.map((line) => FORBIDDEN.some((pattern) => pattern.test(line))),
      [true, true, true, true, false]
    )
  })
})
