/** Lengths in characters (code points, RFC 8259 §1), counted only where the length in UTF-16 units leaves a doubt. */
import { charge } from "./steps.ts"

export const hasAtLeast = (text: string, min: number): boolean =>
  text.length >= min && (min < 2 || text.length >= 2 * min || countCodePoints(text) >= min)

export const hasAtMost = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && countCodePoints(text) <= max)

/** A lone surrogate counts as one. */
export const countCodePoints = (text: string): number => {
  charge(text.length >> 1)
  let count = text.length
  for (let index = 1; index < text.length; index++) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) count--
  }
  return count
}

const isHigh = (unit: number): boolean => unit >= 0xd8_00 && unit < 0xdc_00
const isLow = (unit: number): boolean => unit >= 0xdc_00 && unit < 0xe0_00
