import { assert, describe, it } from "@effect/vitest"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import {
  cutText,
  dropTornSecret,
  retryAfterMs,
  statusError,
  toErrorInfo
} from "../../../src/provider/openai-compatible/mapErrors.ts"

const request = HttpClientRequest.post("http://example.test/v1/chat/completions")
const before = (cause: unknown) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
const during = (cause: unknown) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.DecodeError({
      request,
      response: HttpClientResponse.fromWeb(request, new Response("")),
      cause
    })
  })
const coded = (code: string, message = "") => Object.assign(new Error(message), { code })
const fetchFailed = (cause: unknown) => new TypeError("fetch failed", { cause })
const codeOf = (error: unknown) => toErrorInfo("test", error, []).code

describe("toErrorInfo", () => {
  it("P17.4: secrets are removed before the message is cut, so that no half of one is left", () => {
    const secret = "sk-0123456789"
    const status = statusError("test", 500, "x".repeat(65_501) + secret + secret, {}, 0)
    const { message } = toErrorInfo("test", status, [secret])
    assert.notInclude(message, "sk-0")
    assert.isTrue(message.endsWith("[REDACTED]"))
    assert.isAtMost(message.length, 65_536)
  })

  it("P17.4: a socket's failure keeps or gets a code that the retry policy knows", () => {
    assert.deepStrictEqual(
      toErrorInfo("test", before(fetchFailed(coded("ECONNREFUSED", "connect ECONNREFUSED ::1:1"))), []),
      {
        message: "test request failed: connect ECONNREFUSED ::1:1",
        code: "ECONNREFUSED"
      }
    )
    for (const code of ["ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "ECONNRESET"]) {
      assert.strictEqual(codeOf(before(fetchFailed(coded(code)))), code)
    }
    assert.strictEqual(codeOf(before(fetchFailed(coded("UND_ERR_CONNECT_TIMEOUT")))), "ETIMEDOUT")
    assert.strictEqual(codeOf(before(fetchFailed(coded("UND_ERR_HEADERS_TIMEOUT")))), "ETIMEDOUT")
    assert.strictEqual(codeOf(during(fetchFailed(coded("UND_ERR_BODY_TIMEOUT")))), "ETIMEDOUT")
    assert.strictEqual(codeOf(before(fetchFailed(coded("UND_ERR_SOCKET")))), "ECONNRESET")
    assert.strictEqual(codeOf(before(coded("ConnectionRefused"))), "ECONNREFUSED")
    assert.strictEqual(codeOf(during(coded("ConnectionClosed"))), "ECONNRESET")
    assert.strictEqual(codeOf(before(fetchFailed(coded("CERT_HAS_EXPIRED")))), "CERT_HAS_EXPIRED")
  })

  it("P17.4: an answer that breaks off without a code is a reset connection; a request that fails without one has none", () => {
    assert.deepStrictEqual(toErrorInfo("test", during(new TypeError("terminated")), []), {
      message: "test stream failed: terminated",
      code: "ECONNRESET"
    })
    assert.deepStrictEqual(toErrorInfo("test", before(new TypeError("Failed to fetch")), []), {
      message: "test request failed: Failed to fetch"
    })
  })

  it("P17.4: causes that form a ring, or are no errors, do no harm", () => {
    const ring: { message: string; cause?: unknown } = { message: "round" }
    ring.cause = ring
    assert.strictEqual(toErrorInfo("test", before(ring), []).message, "test request failed: round")
    assert.include(toErrorInfo("test", before("words"), []).message, "test request failed: Transport error")
    assert.strictEqual(toErrorInfo("test", "words", []).message, "words")
  })

  it("P17.4: a code from a nested cause is told with the message when that does not say it", () => {
    assert.strictEqual(
      toErrorInfo("test", before(fetchFailed(coded("ECONNREFUSED"))), []).message,
      "test request failed: fetch failed (ECONNREFUSED)"
    )
  })
})

describe("statusError", () => {
  it("P17.4: tells status and body, the status as code, and the wish to wait", () => {
    assert.deepStrictEqual(statusError("test", 429, "slow down", { "retry-after": "2" }, 0).error, {
      message: "test request failed: 429 slow down",
      code: 429,
      retryAfterMs: 2_000
    })
    assert.deepStrictEqual(statusError("test", 503, "", {}, 0).error, {
      message: "test request failed: 503",
      code: 503
    })
  })
})

describe("retryAfterMs", () => {
  const now = Date.UTC(2015, 9, 21, 7, 28, 0)

  it("P17.4: what is neither seconds nor a date is no wish", () => {
    for (const given of [
      "",
      "soon",
      "-1",
      "1e3",
      "0x10",
      "5 minutes",
      "2015-10-21T07:28:30Z",
      "9".repeat(400),
      "NaN"
    ]) {
      assert.isUndefined(retryAfterMs({ "retry-after": given }, now), given)
    }
    assert.isUndefined(retryAfterMs({}, now))
  })

  it("P17.4: reads seconds, dates and exact milliseconds; a date that has passed is no wait", () => {
    assert.strictEqual(retryAfterMs({ "retry-after": "120" }, now), 120_000)
    assert.strictEqual(retryAfterMs({ "retry-after": " 0.25 " }, now), 250)
    assert.strictEqual(retryAfterMs({ "retry-after": "0" }, now), 0)
    assert.strictEqual(retryAfterMs({ "retry-after": "Wed, 21 Oct 2015 07:28:30 GMT" }, now), 30_000)
    assert.strictEqual(retryAfterMs({ "retry-after": "Wed, 21 Oct 2015 07:27:30 GMT" }, now), 0)
    assert.strictEqual(retryAfterMs({ "retry-after": "9", "retry-after-ms": "1234.5" }, now), 1_235)
    assert.strictEqual(retryAfterMs({ "retry-after": "9", "retry-after-ms": "x" }, now), 9_000)
  })
})

describe("dropTornSecret", () => {
  it("P17.4: drops the longest beginning of a secret at the end, and nothing else", () => {
    assert.strictEqual(dropTornSecret("key: sk-se", ["sk-secret", "se"]), "key: ")
    assert.strictEqual(dropTornSecret("key: s", [undefined, "", "sk-secret"]), "key: ")
    assert.strictEqual(dropTornSecret("sk-", ["sk-secret"]), "")
    assert.strictEqual(dropTornSecret("sk-se and more", ["sk-secret"]), "sk-se and more")
    assert.strictEqual(dropTornSecret("", ["sk-secret"]), "")
    assert.strictEqual(dropTornSecret("text", []), "text")
  })
})

describe("cutText", () => {
  it("P17.4: cuts between characters, never above the bound", () => {
    assert.strictEqual(cutText("aé😀", 7), "aé😀")
    assert.strictEqual(cutText("aé😀", 6), "aé")
    assert.strictEqual(cutText("aé😀", 2), "a")
    assert.strictEqual(cutText("😀", 3), "")
  })
})
