/** The tabs of the setup page (specification 2, Setup guide). */
export const setupTabs = [
  { value: 'firestick', label: 'Amazon Firestick', note: 'Fire TV Stick, Fire TV Cube, televisions with Fire TV' },
  { value: 'android', label: 'Android', note: 'Google TV, Android TV boxes, phones and tablets' },
  { value: 'other', label: 'Other Devices', note: 'Apple, Samsung, LG and computers' },
] as const
export type SetupTab = (typeof setupTabs)[number]['value']

export const setupTabValues = setupTabs.map(({ value }) => value)

/** The devices that have a setup guide, each with the tab of the setup page that it belongs to. */
export const setupDevices = [
  { device: 'firestick', tab: 'firestick', name: 'Amazon Firestick' },
  { device: 'android-tv', tab: 'android', name: 'Android TV or box' },
  { device: 'android-phone', tab: 'android', name: 'Android phone or tablet' },
  { device: 'apple', tab: 'other', name: 'Apple TV, iPhone, iPad' },
  { device: 'samsung', tab: 'other', name: 'Samsung TV' },
  { device: 'lg', tab: 'other', name: 'LG TV' },
  { device: 'web', tab: 'other', name: 'Web browser' },
] as const satisfies { device: string; tab: SetupTab; name: string }[]
export type SetupDevice = (typeof setupDevices)[number]['device']

/** Returns the name of a device and its tab. */
export const setupDeviceOf = (device: SetupDevice) => setupDevices.find((each) => each.device === device)!

/** The drawings that a step can show instead of an uploaded image, with their names in the editor. */
export const stepDrawings = {
  downloader: 'A code in the Downloader app',
  store: 'An app in an app store',
  provider: 'A list of providers',
  login: 'Username and password',
  done: 'The first channels',
  browser: 'A web browser',
} as const
export type StepDrawing = keyof typeof stepDrawings
/** Returns the drawing with this name; undefined for the path of an image. */
export const drawingOf = (picture: string): StepDrawing | undefined =>
  Object.hasOwn(stepDrawings, picture) ? (picture as StepDrawing) : undefined

/** What a step can show below its text, with the names in the editor. */
export const belowStep = {
  nothing: 'Nothing',
  code: 'The code, with a copy button',
  app: 'The link to the app',
  login: 'The login: the member’s own, or the example for visitors',
} as const

export type StepPiece = { text: string; is: 'text' | 'value' | 'missing' }
/**
 * Splits the text or title of a step into pieces. `{app}`, `{provider}` and `{code}` become their values; an empty value becomes a `missing` piece.
 * Other braces stay as they are.
 */
export function stepPieces(text: string, values: Record<string, string>): StepPiece[] {
  return text
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      if (name === undefined || !Object.hasOwn(values, name)) return { text: part, is: 'text' }
      const value = values[name]!
      return value === '' ? { text: name, is: 'missing' } : { text: value, is: 'value' }
    })
}

/**
 * Returns the tab and device for the query parameter `device`, which may name a tab or a device. Any other value selects the first tab. A device is in
 * the tab of its guide or, without a guide, in the tab for which it is made.
 */
export function setupSelection(
  requested: string | undefined,
  guides: { device: SetupDevice; tab: SetupTab }[],
): { tab: SetupTab; device?: SetupDevice } {
  const known = setupDevices.find(({ device }) => device === requested)
  if (known) return { tab: guides.find(({ device }) => device === requested)?.tab ?? known.tab, device: known.device }
  return { tab: setupTabs.find(({ value }) => value === requested)?.value ?? setupTabs[0].value }
}
