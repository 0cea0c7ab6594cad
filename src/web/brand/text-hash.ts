/** A 32-bit hash (FNV-1a) with which a drawing is chosen by a text: the same text always has the same drawing. */
export function textHash(text: string): number {
  let sum = 2166136261
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 16777619)
  return (sum ^ (sum >>> 15)) >>> 0
}
