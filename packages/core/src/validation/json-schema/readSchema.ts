/** The front end: a schema document becomes one node per location, references resolved. Dialects differ only here. */
import * as Result from "effect/Result"
import { SchemaRejectedError } from "../../errors/SchemaRejectedError.ts"
import { ValidationLimits } from "../../limits/SchemaLimits.ts"
import { quote } from "./describe.ts"
import { dialectFor } from "./dialects.ts"
import { ref } from "./keywords/ref.ts"
import { measureFanOut } from "./measureFanOut.ts"
import { escapeSegment } from "./Report.ts"
import { ReadNode } from "./ReadNode.ts"
import type { Dialect, Keyword, Members, Part, Reader, Resource, SchemaNode } from "./SchemaNode.ts"
import { isMembers } from "./shapes.ts"
import { charge, steps, stepsExhausted } from "./steps.ts"

const { compileSteps } = ValidationLimits.table

export interface ReadOptions {
  readonly maxSchemaRefs: number
  /** Whether `format` is asserted, or only an annotation. */
  readonly formats: "assert" | "annotate"
}

/** Reads a schema that nobody else changes. Fails where a keyword has an impossible value or a reference leads nowhere. */
export const readSchema = (schema: unknown, options: ReadOptions): Result.Result<SchemaNode, SchemaRejectedError> => {
  const outer = steps.left
  try {
    steps.left = compileSteps.hardCap
    return Result.succeed(new DocumentReader(schema, options).read())
  } catch (error) {
    if (error instanceof SchemaRejectedError) return Result.fail(error)
    if (error !== stepsExhausted) throw error
    const reason = `takes more than ${compileSteps.hardCap} steps to compile`
    return Result.fail(new SchemaRejectedError({ pointer: "", reason }))
  } finally {
    steps.left = outer
  }
}

const STEPS_PER_SCHEMA = 40

/** A reference that was read and not yet followed. */
interface Pending {
  readonly node: SchemaNode
  readonly keyword: Keyword
  readonly fragment: string
  target: SchemaNode
}

class DocumentReader implements Reader {
  readonly #options: ReadOptions
  /** Every schema that is an object, with its node; pairs, since most documents look nothing up. */
  readonly #objects: Array<Members> = []
  readonly #nodes: Array<SchemaNode> = []
  #byObject: Map<unknown, SchemaNode> | undefined
  readonly #pending: Array<Pending> = []
  /** Nodes that apply other schemas to the same value. */
  readonly #applicators: Array<SchemaNode> = []
  readonly #root: ReadNode
  readonly #rawRoots = new Map<Resource, unknown>()
  /** The position that is being read. */
  #node: SchemaNode
  #keyword: Keyword = ref
  #rootId = ""

  constructor(schema: unknown, options: ReadOptions) {
    this.#options = options
    this.#root = this.#open(undefined, undefined, undefined, schema, undefined)
    this.#node = this.#root
    this.#fill(this.#root, schema)
  }

  get dialect(): Dialect {
    return this.#node.resource.dialect
  }

  read(): SchemaNode {
    // Grows on the way: what only a reference reaches is read when the reference is followed.
    for (const pending of this.#pending) pending.target = this.#resolve(pending)
    measureFanOut(this.#applicators)
    return this.#root
  }

  child(raw: unknown, name?: string | number): SchemaNode {
    const node = this.#open(this.#node, this.#keyword.name, name, raw, this.#node.resource)
    return this.#fill(node, raw)
  }

  reference(reference: string): Pending {
    const { maxSchemaRefs } = this.#options
    if (this.#pending.length >= maxSchemaRefs) this.fail(`exceeds maximum schema references ${maxSchemaRefs}`)
    const pending = { node: this.#node, keyword: this.#keyword, fragment: reference.slice(1), target: this.#node }
    this.#pending.push(pending)
    return pending
  }

  fail(reason: string, name?: string | number): never {
    return refuse(this.#node, reason, name === undefined ? [this.#keyword.name] : [this.#keyword.name, name])
  }

  #open(
    parent: SchemaNode | undefined,
    keyword: string | undefined,
    name: string | number | ReadonlyArray<string> | undefined,
    schema: unknown,
    outer: Resource | undefined
  ): ReadNode {
    const verdict = typeof schema === "boolean" ? schema : undefined
    if (outer !== undefined && isMembers(schema) && !mayName(schema)) {
      return new ReadNode(parent, keyword, name, undefined, outer)
    }
    return new ReadNode(parent, keyword, name, verdict, (node) => {
      if (isMembers(schema)) return this.#resourceOf(node, schema, outer)
      if (verdict === undefined) refuse(node, "must be a schema: an object or a boolean", [])
      if (outer?.dialect.hasBooleanSchemas === false && !keyword?.startsWith("additional")) {
        refuse(node, "must be an object: draft-04 has no boolean schemas", [])
      }
      return outer ?? this.#openResource(node, schema, undefined, dialectFor(undefined))
    })
  }

  #fill(node: ReadNode, schema: unknown): SchemaNode {
    charge(STEPS_PER_SCHEMA)
    if (!isMembers(schema)) return node
    this.#objects.push(schema)
    this.#nodes.push(node)
    this.#byObject?.set(schema, node)
    const outerNode = this.#node
    const outerKeyword = this.#keyword
    this.#node = node
    node.parts = this.#readParts(node, schema)
    this.#node = outerNode
    this.#keyword = outerKeyword
    return node
  }

  #readParts(node: SchemaNode, schema: Members): ReadonlyArray<Part> {
    const { dialect } = node.resource
    const isAlias = dialect.isRefAlone && Object.hasOwn(schema, "$ref")
    const parts: Array<Part> = []
    let isApplicator = false
    for (const name of Object.keys(schema)) {
      const known = dialect.keywords.get(name)
      if (known === undefined || (name === "format" && this.#options.formats === "annotate")) continue
      if (isAlias && name !== "$ref" && name !== "definitions" && name !== "$defs") continue
      const { keyword, order } = known
      this.#keyword = keyword
      insert(parts, { keyword, order, value: keyword.shape(schema[name], this) })
      isApplicator ||= keyword.inPlace !== undefined
    }
    if (isApplicator) this.#applicators.push(node)
    return parts
  }

  /** The resource that a schema belongs to, or opens. Its anchors are entered. */
  #resourceOf(node: SchemaNode, schema: Members, outer: Resource | undefined): Resource {
    const dialect = outer?.dialect ?? dialectFor(schema["$schema"])
    const isAlias = dialect.isRefAlone && Object.hasOwn(schema, "$ref")
    const id = isAlias ? undefined : textOf(node, schema, dialect.idKeyword)
    const isAnchor = id?.startsWith("#") === true && id !== "#"
    if (!dialect.hasAnchorIds && id !== undefined && /#./.test(id)) {
      refuse(node, "must not have a fragment", [dialect.idKeyword])
    }
    const resource = this.#resourceFor(node, schema, outer, dialect, isAnchor ? undefined : id)
    if (isAnchor) {
      addAnchor(resource.anchors, id.slice(1), node)
    }
    for (const keyword of dialect.anchorKeywords) {
      const anchor = textOf(node, schema, keyword)
      if (anchor === undefined) continue
      addAnchor(keyword === "$anchor" ? resource.anchors : resource.dynamicAnchors, anchor, node)
    }
    if (resource.root === node && schema["$recursiveAnchor"] === true) resource.isRecursive = true
    return resource
  }

  #resourceFor(
    node: SchemaNode,
    schema: Members,
    outer: Resource | undefined,
    dialect: Dialect,
    id: string | undefined
  ): Resource {
    if (outer === undefined) {
      this.#rootId = id ?? ""
      return this.#openResource(node, schema, undefined, dialect)
    }
    if (id === undefined || id === "" || id === "#") return outer
    const { idKeyword } = dialect
    if (leavesDocument(id, this.#rootId)) {
      refuse(node, `${idKeyword} leaves the document: ${quote(id)}`, [idKeyword])
    }
    const own = Object.hasOwn(schema, "$schema") ? dialectFor(schema["$schema"]) : dialect
    return this.#openResource(node, schema, outer, own)
  }

  #openResource(root: SchemaNode, raw: unknown, parent: Resource | undefined, dialect: Dialect): Resource {
    const resource = { parent, dialect, root, anchors: new Map(), dynamicAnchors: new Map(), isRecursive: false }
    this.#rawRoots.set(resource, raw)
    return resource
  }

  #resolve({ node, keyword, fragment }: Pending): SchemaNode {
    const { resource } = node
    const name = decodeFragment(fragment)
    const at = [keyword.name]
    if (name === undefined) return refuse(node, "is no valid URI fragment", at)
    if (name.startsWith("/")) return this.#resolvePointer(node, name, at)
    if (name === "") {
      return keyword.name === "$recursiveRef" && resource.isRecursive ? outermostRecursive(resource) : resource.root
    }
    const dynamic = resource.dynamicAnchors.get(name)
    if (keyword.name === "$dynamicRef" && dynamic !== undefined) return outermostDynamic(resource, name) ?? dynamic
    return resource.anchors.get(name) ?? dynamic ?? refuse(node, `leads nowhere: ${quote(`#${fragment}`)}`, at)
  }

  /** Follows a JSON Pointer (RFC 6901) below the root of the resource, and reads what it leads to if nobody has. */
  #resolvePointer(node: SchemaNode, pointer: string, at: ReadonlyArray<string>): SchemaNode {
    const { resource } = node
    const segments = pointer.slice(1).split("/").map(unescapeSegment)
    let value = this.#rawRoots.get(resource)
    let nearest = resource.root
    for (const segment of segments) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) {
        return refuse(node, `leads nowhere: ${quote(`#${pointer}`)}`, at)
      }
      value = (value as Members)[segment]
      nearest = this.#nodeOf(value) ?? nearest
    }
    if (!isMembers(value) && typeof value !== "boolean")
      return refuse(node, `leads to no schema: ${quote(`#${pointer}`)}`, at)
    const known = this.#nodeOf(value)
    if (known !== undefined) return known
    return this.#fill(this.#open(resource.root, undefined, segments, value, nearest.resource), value)
  }

  #nodeOf(value: unknown): SchemaNode | undefined {
    this.#byObject ??= new Map(this.#objects.map((object, index) => [object, this.#nodes[index] ?? this.#root]))
    return this.#byObject.get(value)
  }
}

/** Whether a schema may have an identifier or an anchor: `id`, or anything that begins with `$`. */
const mayName = (schema: Members): boolean => {
  for (const name in schema) if (name.charCodeAt(0) === 36 || name === "id") return true
  return false
}

/** Keeps the order of evaluation; schemas have few keywords. */
const insert = (parts: Array<Part>, part: Part): void => {
  let index = parts.push(part) - 1
  for (let before = parts[index - 1]; before !== undefined && before.order > part.order; before = parts[index - 1]) {
    parts[index--] = before
  }
  parts[index] = part
}

const textOf = (node: SchemaNode, schema: Members, keyword: string): string | undefined => {
  const raw = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
  return raw === undefined || typeof raw === "string" ? raw : refuse(node, "must be a string", [keyword])
}

const refuse = (node: SchemaNode, reason: string, at: ReadonlyArray<string | number>): never => {
  const pointer = node.pointer + at.map((segment) => `/${escapeSegment(segment)}`).join("")
  throw new SchemaRejectedError({ pointer, reason })
}

/** The first of a name stays. */
const addAnchor = (anchors: Map<string, SchemaNode>, name: string, node: SchemaNode): void => {
  if (!anchors.has(name)) anchors.set(name, node)
}

/** References stay in the document, so that the resources around one are all that can take its anchors over. */
const outermostDynamic = (resource: Resource, name: string): SchemaNode | undefined =>
  (resource.parent === undefined ? undefined : outermostDynamic(resource.parent, name)) ??
  resource.dynamicAnchors.get(name)

const outermostRecursive = (resource: Resource): SchemaNode => {
  let { root } = resource
  for (let outer = resource.parent; outer !== undefined; outer = outer.parent) if (outer.isRecursive) root = outer.root
  return root
}

/** Whether an identifier inside a document claims another origin than the document's own. */
const leavesDocument = (id: string, rootId: string): boolean => {
  const origin = originOf(id)
  return origin !== undefined && origin !== originOf(rootId)
}

/** Scheme and authority (RFC 3986 §3); nothing for a relative reference. */
const originOf = (id: string): string | undefined =>
  /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*|^[a-z][a-z0-9+.-]*:/i.exec(id)?.[0].toLowerCase()

const decodeFragment = (fragment: string): string | undefined => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

const unescapeSegment = (segment: string): string => segment.replaceAll("~1", "/").replaceAll("~0", "~")
