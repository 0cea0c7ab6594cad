import { basename } from 'node:path'
import type { Check } from './check.ts'
import { files } from './tree.ts'

export const migrationCheck: Check = {
  name: 'migrations are numbered consecutively',
  run: () =>
    files(/^migrations\//)
      .sort()
      .flatMap((file, index) => {
        const expected = String(index + 1).padStart(4, '0')
        const name = basename(file)
        if (!/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/.test(name)) return [`${file}: name it NNNN-what-changed.sql`]
        return name.startsWith(`${expected}-`)
          ? []
          : [
              `${file}: the next number is ${expected}; renumber a migration that is merged late, because lower numbers are not applied anymore`,
            ]
      }),
}
