import { basename } from 'node:path'
import type { Check } from './check.ts'
import { files } from './tree.ts'

export const migrationCheck: Check = {
  name: 'migrations are numbered without gap or twin',
  run: () =>
    files(/^migrations\//)
      .sort()
      .flatMap((file, index) => {
        const expected = String(index + 1).padStart(4, '0')
        const name = basename(file)
        if (!/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/.test(name)) return [`${file}: call it NNNN-what-changed.sql`]
        return name.startsWith(`${expected}-`)
          ? []
          : [
              `${file}: number ${expected} is next; give a migration that was merged late a new number, an old one is never run again`,
            ]
      }),
}
