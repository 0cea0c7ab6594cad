import { Plus, X } from 'lucide-react'
import { Button } from '#web/ui/button/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

const maxLinks = 12

export function SocialsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'socials',
    title: 'Social Links',
    schema: settingSections.socials,
    fields: ['socials'],
    stored,
  })
  const { form } = setting
  const socials = form.watch('socials')
  const change = (next: typeof socials) => form.setValue('socials', next, form.asTyped)
  const remove = (index: number) => {
    change(socials.toSpliced(index, 1))
    // The clicked button disappears with its link.
    document.getElementById('socials-add')?.focus()
  }
  return (
    <SettingForm setting={setting} hint="Links in the footer, in this order.">
      {socials.length === 0 && <p className="text-sm text-fg-2">No links yet.</p>}
      {socials.map((link, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links have no identity but their position; their texts change with every key press
        <fieldset key={index} className="grid items-start gap-3 sm:grid-cols-[1fr_2fr_auto]">
          <legend className="sr-only">Link {index + 1}</legend>
          <Field id={`socials-socials.${index}.label`} label="Name" error={form.messageAt(`socials.${index}.label`)}>
            <Input
              autoComplete="off"
              value={link.label}
              onChange={({ target }) => change(socials.with(index, { ...link, label: target.value }))}
            />
          </Field>
          <Field id={`socials-socials.${index}.url`} label="Address" error={form.messageAt(`socials.${index}.url`)}>
            <Input
              type="url"
              autoComplete="off"
              placeholder="https://"
              value={link.url}
              onChange={({ target }) => change(socials.with(index, { ...link, url: target.value }))}
            />
          </Field>
          <Button
            variant="ghost"
            icon
            className="sm:mt-7"
            aria-label={`Remove link ${index + 1}`}
            onClick={() => remove(index)}
          >
            <X size={20} />
          </Button>
        </fieldset>
      ))}
      <div>
        <Button
          id="socials-add"
          aria-disabled={socials.length >= maxLinks}
          variant="line"
          size="sm"
          onClick={() => socials.length < maxLinks && change([...socials, { label: '', url: '' }])}
        >
          <Plus size={18} /> Add link
        </Button>
      </div>
    </SettingForm>
  )
}
