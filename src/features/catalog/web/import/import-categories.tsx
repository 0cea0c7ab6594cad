import { channelCategories } from '#features/catalog/rules.ts'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import type { PanelCategory } from '../../admin-import-contract.ts'
import type { Choice } from './import-choice.ts'

interface Props {
  categories: PanelCategory[]
  choice: Choice
  onChoose: (id: string, category: Choice[string]) => void
}

/** A select for each of the panel's categories that chooses the catalog category of its channels. */
export function ImportCategories({ categories, choice, onChoose }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {categories.map(({ id, name, counts, names }) => (
        <Field
          key={id}
          id={`import-category-${id}`}
          label={name || `Category ${id}`}
          hint={`${counts.add + counts.map + counts.known + counts.double} channels, ${counts.add} new${names.length > 0 ? `: ${names.join(', ')}${counts.add > names.length ? ' …' : ''}` : ''}`}
        >
          <NativeSelect
            value={choice[id] ?? 'skip'}
            onChange={({ target }) =>
              onChoose(id, channelCategories.find((category) => category.id === target.value)?.id ?? null)
            }
          >
            <option value="skip">Skip</option>
            {channelCategories.map((category) => (
              <option key={category.id} value={category.id}>
                {category.name}
              </option>
            ))}
          </NativeSelect>
        </Field>
      ))}
    </div>
  )
}
