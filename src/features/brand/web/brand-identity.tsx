import type { StoredImage } from '#features/images/admin-contract.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { BrandImage } from './brand-image.tsx'
import type { BrandForm } from './use-brand-form.ts'

/** Name, logo, icon and mascot. */
export function BrandIdentity({ brand: { form, values } }: { brand: BrandForm }) {
  const setLogo = ({ path, width, height, variants }: StoredImage) =>
    form.setValue('logo', { path, width, height, document: variants.document! }, form.asTyped)
  const setIcon = ({ path, variants: { medium, touch, small } }: StoredImage) =>
    form.setValue('icon', { large: path, medium: medium!, touch: touch!, small: small! }, form.asTyped)
  return (
    <section className="brand-part" aria-labelledby="brand-identity">
      <h3 id="brand-identity">Identity</h3>
      <p className="text-fg-2">Shown in the header, in page titles, on invoices and in every email.</p>
      <Field label="Brand name" {...form.field('name')}>
        <Input {...form.register('name')} autoComplete="off" required maxLength={60} />
      </Field>
      <BrandImage
        {...form.field('logo')}
        use="logo"
        name="Logo"
        hint="PNG, JPEG or WebP, up to 2 MB. A wide logo replaces the name in the header; a narrow one is shown beside it."
        path={values.logo?.path ?? null}
        onUploaded={setLogo}
        onRemove={() => form.setValue('logo', null, form.asTyped)}
      />
      <BrandImage
        {...form.field('icon')}
        use="icon"
        name="Favicon"
        hint="A square image. All sizes are generated from it."
        path={values.icon?.medium ?? null}
        onUploaded={setIcon}
        onRemove={() => form.setValue('icon', null, form.asTyped)}
      />
      <Checkbox
        label="Show the mascot"
        hint="Without it, plans show one to four plain bars."
        {...form.field('mascot')}
        {...form.register('mascot')}
      />
    </section>
  )
}
