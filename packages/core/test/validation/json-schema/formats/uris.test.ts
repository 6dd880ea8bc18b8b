import { describe, expect, it } from "vitest"
import {
  areEscapesWhole,
  iprivate,
  isIri,
  isIriReference,
  isUri,
  isUriReference,
  isUrl,
  ucschar
} from "../../../../src/validation/json-schema/formats/uris.ts"
import { expectVerdicts } from "./verdicts.ts"

/** RFC 3986 §1.1.2, and odd ones that its grammar admits. */
const uris = [
  "ftp://ftp.is.co.za/rfc/rfc1808.txt",
  "ldap://[2001:db8::7]/c=GB?objectClass?one",
  "mailto:John.Doe@example.com",
  "news:comp.infosystems.www.servers.unix",
  "tel:+1-816-555-1212",
  "telnet://192.0.2.16:80/",
  "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
  "a:",
  "a:/",
  "a://",
  "a:b:c@d",
  "a+b-c.1:x",
  "http://a:/",
  "http://u:p:q@h:1/;x=1,2?/?#/?",
  "http://%41.b/",
  "http://[v7.a:b]/",
  "http://[::ffff:1.2.3.4]:80",
  "file:///etc/hosts"
]
/** RFC 3986 §5.4. */
const relative = [
  "",
  "g",
  "./g",
  "g/",
  "/g",
  "//g",
  "?y",
  "g?y",
  "#s",
  "g#s",
  ";x",
  "g;x?y#s",
  ".",
  "..",
  "../../g",
  "./g:h",
  "/a:b"
]
const broken = [
  "a b",
  "a:b c",
  "a:%",
  "a:%4",
  "a:%4g",
  "a:\\",
  'a:"',
  "a:<b>",
  "a:{b}",
  "a:|",
  "a:^",
  "a:`",
  "a:#b#c",
  "a:[b]",
  "a://b[c]",
  "a://[::1",
  "a://[::1]x",
  "a://[1.2.3.4]",
  "a://[v.a]",
  "a://[v1.]",
  "a://[]",
  "a://b:c",
  "a://b:1:2",
  "a://b@c@d",
  "a://b/[c]",
  "1a:b",
  ":b",
  "a_b:c",
  "a:\n",
  "a:\u0000"
]

describe("isUri", () => {
  it("asks for a scheme", () => {
    expectVerdicts(isUri, { valid: uris, invalid: [...relative, ...broken, "http://bücher.example", "a:é"] })
  })
})

describe("isUriReference", () => {
  it("takes relative references too", () => {
    expectVerdicts(isUriReference, { valid: [...uris, ...relative], invalid: [...broken, "é", "//é"] })
  })
})

describe("isIri", () => {
  it("takes the characters of RFC 3987, private ones in queries only", () => {
    expectVerdicts(isIri, {
      valid: [...uris, "http://résumé.example.org/é?é#é", "a://é@é", "a:\u{20000}", "a:?\ue000", "a:?\u{10fffd}"],
      invalid: [
        ...relative,
        ...broken,
        "é",
        "é:a",
        "a:\ue000",
        "a:#\ue000",
        "a:\u0080",
        "a:\ufdd0",
        "a:\ufff0",
        "a:\ufffe",
        "a:\ud800",
        "a:\u{e0001}"
      ]
    })
  })
})

describe("isIriReference", () => {
  it("takes relative references too", () => {
    expectVerdicts(isIriReference, {
      valid: [...uris, ...relative, "é", "/é", "//é", "#é"],
      invalid: [...broken, "é é"]
    })
  })
})

describe("isUrl", () => {
  it("takes http, https and ftp with a host", () => {
    expectVerdicts(isUrl, {
      valid: [
        "http://example.com",
        "HTTPS://Example.com:443/a?b#c",
        "ftp://u:p@ftp.example.com/f",
        "http://localhost:3000/",
        "http://192.0.2.1:65535",
        "http://[::1]:80/",
        "https://bücher.example/é",
        "https://xn--bcher-kva.example"
      ],
      invalid: [
        "example.com",
        "//example.com",
        "mailto:a@b.c",
        "javascript:alert(1)",
        "file:///a",
        "http:a",
        "http:/a",
        ""
      ]
    })
  })

  it("refuses hosts and ports that no client could use", () => {
    const hosts = [
      "http://",
      "http:///a",
      "http://?a",
      "http://a_b",
      "http://-a",
      "http://a..b",
      "http://%41",
      "http://☃.net"
    ]
    const numbers = [
      "http://256.1.1.1",
      "http://1.2.3",
      "http://1",
      "http://a.1",
      "http://[v1.a]",
      "http://a:65536",
      "http://a:000080"
    ]
    expectVerdicts(isUrl, { valid: [], invalid: [...hosts, ...numbers, "http://a b", "http://a/ b", "http://a/%"] })
  })
})

describe("areEscapesWhole", () => {
  it("asks two hexadecimal digits of each %", () => {
    expectVerdicts(areEscapesWhole, { valid: ["", "a", "%aF%00"], invalid: ["%", "%a", "%ag", "%%41", "%4１"] })
  })
})

describe("ucschar, iprivate", () => {
  it("are parts of a character class that share nothing with ASCII", () => {
    expect("azAZ09-._~ \u007f").not.toMatch(new RegExp(`[${ucschar}${iprivate}]`, "u"))
  })
})
