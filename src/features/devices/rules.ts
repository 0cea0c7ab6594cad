/** A name is as long as fits beside the picture of a device. */
export const nameLength = 24
export const kindNames = { browser: 'Browser', tv: 'TV', app: 'TV app' } as const
export type DeviceKind = keyof typeof kindNames
