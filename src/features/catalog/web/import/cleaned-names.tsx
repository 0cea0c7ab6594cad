import type { Output } from '#kit/endpoint.ts'
import type { previewChannelImport } from '../../admin-import-contract.ts'

/** Examples of how the panel's names are cleaned. Renders nothing when no name changes. */
export function CleanedNames({ renamed: { count, examples } }: Pick<Output<typeof previewChannelImport>, 'renamed'>) {
  if (count === 0) return null
  return (
    <section aria-labelledby="import-names">
      <h3 id="import-names" className="font-semibold">
        {count === 1 ? '1 name will be cleaned' : `${count.toLocaleString('en-US')} names will be cleaned`}
      </h3>
      <p className="text-fg-2">Country prefixes, superscript quality marks and decoration are removed.</p>
      <dl className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {examples.map(({ from, to }) => (
          <div key={from} className="flex min-w-0 flex-wrap gap-x-2">
            <dt className="wrap-anywhere text-fg-2 line-through">{from}</dt>
            <dd className="wrap-anywhere">{to}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
