import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import type { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import type { RightForm, RightInput } from '../../admin-contract.ts'

/** The fields of a right in the order of their inputs. */
export const rightFields = [
  'licensor',
  'source',
  'territories',
  'validFrom',
  'validUntil',
  'document',
  'archiveHours',
] as const

/** The inputs for a new or an existing right. */
export function RightFields({
  form: { field, register },
}: {
  form: Pick<ReturnType<typeof useSchemaForm<RightInput, RightForm>>, 'field' | 'register'>
}) {
  return (
    <>
      <Field label="Licensor" hint="Who grants the right." {...field('licensor')}>
        <Input {...register('licensor')} autoComplete="off" maxLength={120} />
      </Field>
      <Field label="Source" hint="Where the licensed signal comes from." {...field('source')}>
        <Input {...register('source')} autoComplete="off" maxLength={120} />
      </Field>
      <Field
        label="Territory"
        hint="Country codes such as US or CA, or WORLD for all countries."
        {...field('territories')}
      >
        <Input {...register('territories')} autoComplete="off" />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First day" {...field('validFrom')}>
          <Input type="date" {...register('validFrom')} />
        </Field>
        <Field label="Last day" hint="Days are in UTC." {...field('validUntil')}>
          <Input type="date" {...register('validUntil')} />
        </Field>
      </div>
      <Field label="Document" hint="The contract’s number, or where it is kept." {...field('document')}>
        <Input {...register('document')} autoComplete="off" maxLength={300} />
      </Field>
      <Field
        label="Catch-up hours"
        hint="How many hours back the right covers the archive: 72 for three days, 0 for live only."
        {...field('archiveHours')}
      >
        <Input {...register('archiveHours')} inputMode="numeric" autoComplete="off" maxLength={4} />
      </Field>
    </>
  )
}
