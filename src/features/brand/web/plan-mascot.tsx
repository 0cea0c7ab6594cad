import type { ReactNode } from 'react'
import type { Tier } from '#web/brand/mascot-shapes.ts'
import { MascotShown } from '#web/brand/mascot-shown.ts'
import { MascotTile } from '#web/brand/mascot-tile.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import type { BrandForm } from './use-brand-form.ts'

interface Props {
  brand: BrandForm
  /** The index of the plan group. */
  at: number
  /** "3 months". */
  term: string
  /** The input field for the name. */
  children: ReactNode
}
const mascots = ['Lime, small horns', 'Mustard, tall horns', 'Ember, wide horns', 'Plum, four horns']

/** A plan group: its picture, its name and, if mascots are shown, the choice of its mascot. */
export function PlanMascot({ brand: { form, values }, at, term, children }: Props) {
  return (
    <div className="brand-plan">
      <MascotShown value={values.mascot}>
        <MascotTile tier={(at + 1) as Tier} connections={at + 1} shape={values.mascots[at] as Tier} />
      </MascotShown>
      {children}
      {values.mascot && (
        <Field className="min-w-0 flex-1" label={`Mascot for ${term}`} id={`brand-mascots.${at}`}>
          <NativeSelect {...form.register(`mascots.${at}`, { valueAsNumber: true })}>
            {mascots.map((name, index) => (
              <option key={name} value={index + 1}>
                {name}
              </option>
            ))}
          </NativeSelect>
        </Field>
      )}
    </div>
  )
}
