export const serverFlags: string[]
export function pinnedNode(root: string): string
