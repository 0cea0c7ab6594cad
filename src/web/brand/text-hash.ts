/** Returns a 32-bit hash (FNV-1a) of a text. It selects a drawing, so that the same text always gets the same drawing. */
export function textHash(text: string): number {
  let sum = 2166136261
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 16777619)
  return (sum ^ (sum >>> 15)) >>> 0
}
