import type { Check } from './check.ts'
import { files } from './tree.ts'

const fileName = /^migrations\/(\d{4})-[a-z0-9]+(-[a-z0-9]+)*(\.sql|\/\d\d-[a-z0-9]+(-[a-z0-9]+)*\.sql)$/
/** The number of the baseline; later migrations continue from it. */
const baseline = 42

export const migrationCheck: Check = {
  name: 'migrations are numbered without gaps or duplicates',
  run: () => {
    const current = files(/^migrations\/(?!history\/).*\.sql$/)
    const misnamed = current.filter((file) => !fileName.test(file))
    // The files of one folder are one migration.
    const migrations = [...new Set(current.map((file) => file.split('/')[1]!))].sort()
    const misnumbered = migrations.filter(
      (migration, index) => !migration.startsWith(`${String(baseline + index).padStart(4, '0')}-`),
    )
    return [
      ...misnamed.map((file) => `${file}: call it NNNN-what-changed.sql`),
      ...misnumbered.map(
        (migration) =>
          `migrations/${migration}: numbers continue from ${baseline} without a gap; give a migration that was merged late a new number, because an old one never runs again`,
      ),
    ]
  },
}
