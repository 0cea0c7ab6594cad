// Judges a folder of payment mails and statements: `npm run payment-fixtures -- FOLDER`. The folder holds the files, `index.json` (what must
// come out of each), `world.json` (the installation they are judged in) and `dns.json` (the keys of the signatures). One line per file. Ends with
// 1 if anything differs, with 2 if the folder cannot be judged.
import { BadFolder, readFolder } from './payment-fixtures/folder.ts'
import { judgeFolder } from './payment-fixtures/judge.ts'

const [folder, ...others] = process.argv.slice(2)
if (!folder || others.length > 0) {
  console.error('Usage: npm run payment-fixtures -- FOLDER')
  process.exit(2)
}
try {
  const judgements = await judgeFolder(readFolder(folder))
  for (const { file, differences } of judgements)
    console.log(differences.length === 0 ? `ok    ${file}` : `FAIL  ${file}: ${differences.join('; ')}`)
  const wrong = judgements.filter(({ differences }) => differences.length > 0).length
  console.log(`${judgements.length - wrong} of ${judgements.length} files as expected`)
  process.exitCode = wrong > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof BadFolder)) throw error
  console.error(error.message)
  process.exitCode = 2
}
