import { Link, useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { type SectionName, settingGroups } from '#features/settings/section-rules.ts'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'

/** The sections of the settings: a list beside the form, or a select above it where there is less room. */
export function SettingsNav({ current }: { current: SectionName }) {
  const navigate = useNavigate()
  const id = useId()
  return (
    <nav aria-label="Settings">
      <Field label="Section" className="settings-select">
        <NativeSelect
          value={current}
          onChange={({ target }) =>
            void navigate({ to: '/admin/settings', search: { section: target.value } as never, resetScroll: false })
          }
        >
          {settingGroups.map(({ label, sections }) => (
            <optgroup key={label} label={label}>
              {Object.entries(sections).map(([name, section]) => (
                <option key={name} value={name}>
                  {section}
                </option>
              ))}
            </optgroup>
          ))}
        </NativeSelect>
      </Field>
      {settingGroups.map(({ label, sections }, index) => (
        <div key={label} className="settings-nav">
          <h2 id={`${id}-${index}`}>{label}</h2>
          <ul aria-labelledby={`${id}-${index}`}>
            {Object.entries(sections).map(([name, section]) => (
              <li key={name}>
                <Link
                  to="/admin/settings"
                  search={{ section: name } as never}
                  resetScroll={false}
                  aria-current={name === current ? 'page' : undefined}
                >
                  {section}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
