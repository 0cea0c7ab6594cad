import type { ComponentProps } from 'react'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import { type ChannelFilter, channelFilters } from '../../rules.ts'

interface Props extends Pick<ComponentProps<typeof Tabs<ChannelFilter>>, 'value' | 'onChange'> {
  /** The number of channels; undefined while they load. */
  countOf: (filter: ChannelFilter) => number | undefined
}

/** The category tabs, which stay in view below the header. CSS renders the counts, so that the name and text of a tab are exactly those of the specification. */
export function ChannelFilterBar({ countOf, value, onChange }: Props) {
  const tabs = channelFilters.map(({ id, name }) => ({
    value: id,
    label: name,
    content: (
      <>
        <span className="tab-label" data-label={name}>
          {name}
        </span>
        <span className="tab-count num" aria-hidden="true" data-count={countOf(id)} />
      </>
    ),
  }))
  return (
    <div className="channel-filter">
      <Tabs id="channels" label="Channel category" look="pills" tabs={tabs} value={value} onChange={onChange} />
    </div>
  )
}
