import { Field } from './field.tsx'
import { NativeSelect } from './native-select.tsx'

const dateFormats = [
  { value: 'MM/dd/yyyy', label: 'Month, day, year' },
  { value: 'dd/MM/yyyy', label: 'Day, month, year' },
  { value: 'yyyy/MM/dd', label: 'Year, month, day' },
] as const
/** How a file formats its dates and amounts. */
export interface ValueStyle {
  dateFormat: (typeof dateFormats)[number]['value']
  decimal: '.' | ','
}

/** The fields for the date order and the decimal separator of a file. */
export function ValueStyleFields({
  value: style,
  onChange,
}: {
  value: ValueStyle
  onChange: (style: ValueStyle) => void
}) {
  return (
    <>
      <Field label="Date order">
        <NativeSelect
          value={style.dateFormat}
          onChange={({ target }) => onChange({ ...style, dateFormat: target.value as ValueStyle['dateFormat'] })}
        >
          {dateFormats.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field label="Decimal sign">
        <NativeSelect
          value={style.decimal}
          onChange={({ target }) => onChange({ ...style, decimal: target.value as ValueStyle['decimal'] })}
        >
          <option value=".">Point: 24.99</option>
          <option value=",">Comma: 24,99</option>
        </NativeSelect>
      </Field>
    </>
  )
}
