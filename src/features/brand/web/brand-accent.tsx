import { clsx } from 'clsx'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Note } from '#web/ui/note.tsx'
import { accentColors, hueOf, lowestContrastRatios, parseHex, similarTo, toHex } from '../rules.ts'
import type { BrandForm } from './use-brand-form.ts'

const presets = [
  [41, 'Ember'],
  [75, 'Honey'],
  [130, 'Lime'],
  [195, 'Lagoon'],
  [245, 'Sky'],
  [305, 'Grape'],
  [350, 'Plum'],
] as const
const checks = [
  ['button', 'Button text, needs 4.5', 4.5],
  ['link', 'Links, need 4.5', 4.5],
  ['graphic', 'Charts, need 3', 3],
] as const

/** A choice of the accent hue. Shows the contrast ratios of the resulting colors, each in the theme where it is lower. */
export function BrandAccent({ brand: { form, values } }: { brand: BrandForm }) {
  const [typed, setTyped] = useState<string>()
  const { hue } = values
  const set = (next: number) => {
    setTyped(undefined)
    form.setValue('hue', next, form.asTyped)
  }
  const paste = ({ target: { value } }: ChangeEvent<HTMLInputElement>) => {
    setTyped(value)
    const color = parseHex(value)
    const found = color && hueOf(color)
    if (found !== null) form.setValue('hue', found, form.asTyped)
  }
  const pasted = typed === undefined ? null : parseHex(typed)
  const problem =
    typed === undefined || typed === ''
      ? undefined
      : !pasted
        ? 'Please enter a color such as #fc641e'
        : hueOf(pasted) === null
          ? 'Gray has no hue. Please enter another color.'
          : undefined
  const ratios = lowestContrastRatios(hue)
  const similar = similarTo(hue)
  return (
    <section className="brand-part" aria-labelledby="brand-accent">
      <h3 id="brand-accent">Accent color</h3>
      <p className="text-fg-2">
        You choose the hue. Lightness and intensity stay fixed, so text stays readable in both themes.
      </p>
      <Field
        label={
          <>
            Hue <span className="num text-fg-2">{hue}°</span>
          </>
        }
        {...form.field('hue')}
      >
        <input
          id="brand-hue"
          className="brand-hue"
          type="range"
          min={0}
          max={359}
          value={hue}
          onChange={({ target }) => set(target.valueAsNumber)}
        />
      </Field>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Presets</legend>
        {presets.map(([preset, name]) => (
          <button
            key={preset}
            type="button"
            className={clsx('btn btn-sm btn-line brand-preset')}
            aria-pressed={hue === preset}
            onClick={() => set(preset)}
          >
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
              <circle cx="8" cy="8" r="8" fill={toHex(accentColors(preset).brand.light)} />
            </svg>
            {name}
          </button>
        ))}
      </fieldset>
      <Field
        label="From your brand color"
        optional
        hint="Paste a color. Its hue is used with a readable lightness."
        error={problem}
      >
        <Input
          value={typed ?? toHex(accentColors(hue).brand.light)}
          onChange={paste}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <ul className="brand-checks" aria-label="Contrast">
        {checks.map(([key, label, minimum]) => (
          <li key={key}>
            <b className="num">
              {ratios[key] >= minimum ? <CircleCheck size={18} /> : <CircleAlert size={18} />}
              {(Math.floor(ratios[key] * 10) / 10).toFixed(1)} : 1
            </b>
            {label}
          </li>
        ))}
      </ul>
      <div role="status">
        {similar && (
          <Note tone="warn">
            This hue is close to the color of {similar === 'error' ? 'error' : 'success'} messages. Customers could
            confuse the two.
          </Note>
        )}
      </div>
    </section>
  )
}
