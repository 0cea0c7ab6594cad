/**
 * The file that starts the app or the command line. The short form of the tests names a folder with a bundle of both in `TEST_APP`
 * (`scripts/test.ts`), which loads in a third of the processor time of a thousand source files.
 */
export function entryOf(name: 'main' | 'cli', { fromSources = false } = {}): string {
  const bundle = process.env.TEST_APP
  return bundle && !fromSources ? `${bundle}/${name}.js` : `src/${name}.ts`
}
