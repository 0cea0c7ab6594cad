import { useSuspenseQuery } from '@tanstack/react-query'
import { fillPlaceholders } from '#kit/fill-placeholders.ts'
import { query } from '#web/data.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { settingSections } from '../admin-contract.ts'
import { getSite, type LegalDocument } from '../contract.ts'
import { legalTitles } from '../rules.ts'
import { LegalProse } from './legal-prose.tsx'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

/** The form of a legal text with a preview. */
export function LegalSetting({ document, stored }: { document: LegalDocument; stored: Stored }) {
  const { brand, contact, claims } = useSuspenseQuery(query(getSite)).data
  const setting = useSettingForm({
    section: document,
    title: legalTitles[document],
    schema: settingSections[document],
    fields: ['text'],
    stored,
  })
  const { field, register, watch } = setting.form
  const typed = watch('text').trim()
  return (
    <SettingForm
      setting={setting}
      hint={`The text at /${document}. If empty, the standard text is shown. Have a lawyer review what you publish.`}
    >
      <Field
        label="Text"
        optional
        hint="“## ” starts a heading, “- ” a list item, a blank line a new paragraph. {brand}, {email} and {days} are filled in."
        {...field('text')}
      >
        <Textarea {...register('text')} rows={16} />
      </Field>
      <div className="rounded-2xl border p-5">
        <h3 id="legal-preview" className="mb-4 text-lg">
          Preview{typed === '' && ' of the standard text'}
        </h3>
        <section className="max-h-120 overflow-y-auto" tabIndex={0} aria-labelledby="legal-preview">
          <LegalProse
            text={fillPlaceholders(typed || (stored.standard ?? ''), {
              brand: brand.name,
              email: contact.email,
              days: String(claims.moneyBackDays),
            })}
            heading="h4"
          />
        </section>
      </div>
    </SettingForm>
  )
}
