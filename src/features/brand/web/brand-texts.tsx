import { Field } from '#web/ui/form/field.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PlanMascot } from './plan-mascot.tsx'
import type { BrandForm } from './use-brand-form.ts'

const terms = ['1 month', '3 months', '6 months', '12 months']

/** Edits the texts at the top of the home page, and the names of the plan groups. */
export function BrandTexts({ brand }: { brand: BrandForm }) {
  const { form, values } = brand
  const plansError = form.field('plans').error
  return (
    <>
      <section className="brand-part" aria-labelledby="brand-texts">
        <h3 id="brand-texts">Home page text</h3>
        <p className="text-fg-2">The last word of the headline takes the accent color.</p>
        <Field label="Headline" hint={`${values.headline.length} of 60`} {...form.field('headline')}>
          <Input {...form.register('headline')} autoComplete="off" required maxLength={60} />
        </Field>
        <Field label="Tagline" hint={`${values.tagline.length} of 80`} {...form.field('tagline')}>
          <Input {...form.register('tagline')} autoComplete="off" required maxLength={80} />
        </Field>
      </section>
      <section className="brand-part" aria-labelledby="brand-plans">
        <h3 id="brand-plans">Plan names</h3>
        <p className="text-fg-2">Invoices and emails already sent keep the old names.</p>
        {terms.map((term, at) => (
          <PlanMascot key={term} brand={brand} at={at} term={term}>
            <Field
              className="min-w-0 flex-1"
              label={`Plan name for ${term}`}
              id={`brand-plans.${at}`}
              error={form.messageAt(`plans.${at}`)}
            >
              <Input {...form.register(`plans.${at}`)} autoComplete="off" required maxLength={24} />
            </Field>
          </PlanMascot>
        ))}
        {plansError && <FieldError id="brand-plans">{plansError}</FieldError>}
      </section>
    </>
  )
}
