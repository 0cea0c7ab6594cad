// Checks a folder of payment emails and statements: `npm run payment-fixtures -- FOLDER`. The folder contains the
// files, `index.json` (the expected result of each), `world.json` (the state of the installation that they are read in)
// and `dns.json` (the keys of the signatures). One line per file. Exits with 1 if anything differs, with 2 if the
// folder cannot be checked.

import { checkFolder } from './payment-fixtures/check-folder.ts'
import { readFolder, UnusableFolderError } from './payment-fixtures/folder.ts'

const [folder, ...others] = process.argv.slice(2)
if (!folder || others.length > 0) {
  console.error('Usage: npm run payment-fixtures -- FOLDER')
  process.exit(2)
}
try {
  const results = await checkFolder(readFolder(folder))
  for (const { file, differences } of results)
    console.log(differences.length === 0 ? `ok    ${file}` : `FAIL  ${file}: ${differences.join('; ')}`)
  const wrong = results.filter(({ differences }) => differences.length > 0).length
  console.log(`${results.length - wrong} of ${results.length} files as expected`)
  process.exitCode = wrong > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof UnusableFolderError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
