let isHeld: (() => Promise<boolean>) | undefined

/**
 * Keeps this process from calling other servers and from sending mail until `held` answers false; from then on it is not asked again.
 * Every exit asks `isOutboundHeld`: `Outbound`, `smtp`, and the workers before they take up work.
 */
export function holdOutbound(held: () => Promise<boolean>): void {
  isHeld = held
}

/** Whether nothing may leave this process. When the answer cannot be read, nothing may. */
export async function isOutboundHeld(): Promise<boolean> {
  const asked = isHeld
  if (!asked) return false
  const held = await asked().catch(() => true)
  if (!held && isHeld === asked) isHeld = undefined
  return held
}
