/**
 * Returns the file that starts the app or the command line. In the short form of the tests, `TEST_APP` names a folder with a bundle of each
 * (`scripts/test.ts`), which loads in a third of the processor time that a thousand source files take.
 */
export function entryOf(name: 'main' | 'cli', { fromSources = false } = {}): string {
  const bundle = process.env.TEST_APP
  return bundle && !fromSources ? `${bundle}/${name}.js` : `src/${name}.ts`
}
