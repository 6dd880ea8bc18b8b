/** Every keyword, in order of evaluation, with the releases that have it. */
import { allOf } from "./keywords/allOf.ts"
import {
  $comment,
  $defs,
  $recursiveAnchor,
  $schema,
  contentEncoding,
  contentMediaType,
  contentSchema,
  definitions,
  deprecated,
  description,
  examples,
  readOnly,
  title,
  writeOnly
} from "./keywords/annotations.ts"
import { anyOf } from "./keywords/anyOf.ts"
import { contains, maxContains, minContains } from "./keywords/contains.ts"
import { dependencies } from "./keywords/dependencies.ts"
import { dependentRequired } from "./keywords/dependentRequired.ts"
import { dependentSchemas } from "./keywords/dependentSchemas.ts"
import { constKeyword, enumKeyword } from "./keywords/enum.ts"
import { format } from "./keywords/format.ts"
import { elseKeyword, ifKeyword, thenKeyword } from "./keywords/if.ts"
import { additionalItems, items } from "./keywords/items.ts"
import { exclusiveMaximum, maximum } from "./keywords/maximum.ts"
import { maxItems } from "./keywords/maxItems.ts"
import { maxLength } from "./keywords/maxLength.ts"
import { maxProperties } from "./keywords/maxProperties.ts"
import { exclusiveMinimum, minimum } from "./keywords/minimum.ts"
import { minItems } from "./keywords/minItems.ts"
import { minLength } from "./keywords/minLength.ts"
import { minProperties } from "./keywords/minProperties.ts"
import { multipleOf } from "./keywords/multipleOf.ts"
import { not } from "./keywords/not.ts"
import { oneOf } from "./keywords/oneOf.ts"
import { pattern } from "./keywords/pattern.ts"
import { prefixItems } from "./keywords/prefixItems.ts"
import { additionalProperties, patternProperties, properties, required } from "./keywords/properties.ts"
import { propertyNames } from "./keywords/propertyNames.ts"
import { dynamicRef, recursiveRef, ref } from "./keywords/ref.ts"
import { nullable, type } from "./keywords/type.ts"
import { unevaluatedItems } from "./keywords/unevaluatedItems.ts"
import { unevaluatedProperties } from "./keywords/unevaluatedProperties.ts"
import { uniqueItems } from "./keywords/uniqueItems.ts"
import type { Draft, Keyword } from "./SchemaNode.ts"

interface Release {
  readonly keyword: Keyword
  /** Draft-04 unless said. */
  readonly since?: Draft
  /** Still there unless said. */
  readonly until?: Draft
}

export const keywords: ReadonlyArray<Release> = [
  { keyword: definitions },
  { keyword: $defs, since: "2019-09" },
  { keyword: $schema },
  { keyword: title },
  { keyword: description },
  { keyword: examples, since: "draft-06" },
  { keyword: $comment, since: "draft-07" },
  { keyword: contentEncoding, since: "draft-07" },
  { keyword: contentMediaType, since: "draft-07" },
  { keyword: readOnly, since: "draft-07" },
  { keyword: writeOnly, since: "draft-07" },
  { keyword: deprecated, since: "2019-09" },
  { keyword: $recursiveAnchor, since: "2019-09", until: "2019-09" },
  { keyword: contentSchema, since: "2019-09" },
  { keyword: nullable },
  { keyword: type },
  { keyword: enumKeyword },
  { keyword: constKeyword, since: "draft-06" },
  { keyword: minLength },
  { keyword: maxLength },
  { keyword: pattern },
  { keyword: format },
  { keyword: minimum },
  { keyword: exclusiveMinimum },
  { keyword: maximum },
  { keyword: exclusiveMaximum },
  { keyword: multipleOf },
  { keyword: minItems },
  { keyword: maxItems },
  { keyword: prefixItems, since: "2020-12" },
  { keyword: items },
  { keyword: additionalItems, until: "2019-09" },
  { keyword: minContains, since: "2019-09" },
  { keyword: maxContains, since: "2019-09" },
  { keyword: contains, since: "draft-06" },
  { keyword: uniqueItems },
  { keyword: required },
  { keyword: minProperties },
  { keyword: maxProperties },
  { keyword: properties },
  { keyword: patternProperties },
  { keyword: additionalProperties },
  { keyword: propertyNames, since: "draft-06" },
  { keyword: dependencies },
  { keyword: dependentRequired, since: "2019-09" },
  { keyword: dependentSchemas, since: "2019-09" },
  { keyword: ref },
  { keyword: dynamicRef, since: "2020-12" },
  { keyword: recursiveRef, since: "2019-09", until: "2019-09" },
  { keyword: allOf },
  { keyword: anyOf },
  { keyword: oneOf },
  { keyword: not },
  { keyword: thenKeyword, since: "draft-07" },
  { keyword: elseKeyword, since: "draft-07" },
  { keyword: ifKeyword, since: "draft-07" },
  { keyword: unevaluatedItems, since: "2019-09" },
  { keyword: unevaluatedProperties, since: "2019-09" }
]
