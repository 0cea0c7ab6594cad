import { useSuspenseQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import { getSite } from '#features/settings/contract.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { cream, eyeCount, ink } from '#web/brand/mascot-shapes.ts'
import { query } from '#web/data.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { roles } from '#web/ui/table/table-roles.ts'
import type { Plan } from '../../contract.ts'
import { planTable } from '../../price-rules.ts'
import { connectionLabel } from '../../rules.ts'
import { ComparisonCell, type PriceUnit } from './comparison-cell.tsx'

const units: { value: PriceUnit; label: string }[] = [
  { value: 'month', label: 'Per month' },
  { value: 'total', label: 'In total' },
  { value: 'screen', label: 'Per screen' },
]
const screens = (connections: number) => (connections === 1 ? '1 screen at a time' : `${connections} screens at once`)

interface Props {
  plans: Plan[]
  /** The plan of the visitor's running subscription. */
  ownPlanId?: number | undefined
}

/** All plans in one table, with a row for each number of connections and a column for each length. Phones show one row, which is chosen above it. */
export function PlanComparison({ plans, ownPlanId }: Props) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { groups, rows } = planTable(plans, site.brand.plans)
  const own = plans.find((plan) => plan.id === ownPlanId)
  const [unit, setUnit] = useState<PriceUnit>('month')
  const [chosen, setChosen] = useState(own?.connections ?? 1)
  const shown = rows.find(({ connections }) => connections === chosen) ?? rows[0]
  if (plans.length < 2 || !shown) return null
  return (
    <section className="compare" aria-labelledby="compare-title">
      <div className="compare-head">
        <div>
          <h2 id="compare-title">All {plans.length} plans on one page</h2>
          <p>From top to bottom: more screens at once. From left to right: more months, at a lower monthly price.</p>
        </div>
        <Segmented legend="Show prices" options={units} value={unit} onChange={setUnit} className="compare-unit" />
      </div>
      <Segmented
        legend="Connections"
        className="compare-connections"
        value={shown.connections}
        onChange={setChosen}
        options={rows.map(({ connections }) => ({
          value: connections,
          label: (
            <>
              <Mascot tier={1} eyes={eyeCount(connections)} size={32} mouth={false} skin={cream} horn={ink} />
              <span className="num">{connections}</span>
            </>
          ),
        }))}
      />
      {/* On phones the table is laid out as a list, which removes the roles of its elements. */}
      <table {...roles.table} className="compare-table" aria-labelledby="compare-title">
        <thead {...roles.rows}>
          <tr {...roles.row}>
            <td {...roles.cell} />
            {groups.map(({ tier, name, months }) => (
              <th key={tier} {...roles.head} scope="col">
                <span className="compare-tier">
                  <Mascot tier={tier} eyes={tier} size={44} mouth={false} />
                  <span>
                    <b className="tier-name">{name}</b>
                    <span className="tier-term">{months === 1 ? '1 month' : `${months} months`}</span>
                  </span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.rows}>
          {rows.map((row) => (
            <tr key={row.connections} {...roles.row} className={clsx(row !== shown && 'compare-other')}>
              <th scope="row">
                <span className="compare-row">
                  <Mascot tier={1} eyes={eyeCount(row.connections)} size={36} mouth={false} skin={cream} horn={ink} />
                  <span>
                    {connectionLabel(row.connections)}
                    <span className="tier-term">{screens(row.connections)}</span>
                  </span>
                </span>
              </th>
              {row.plans.map((plan, index) => (
                <td key={groups[index]?.tier} {...roles.cell}>
                  {plan && (
                    <ComparisonCell
                      plan={plan}
                      name={groups[index]!.name}
                      plans={plans}
                      unit={unit}
                      ownPlanId={ownPlanId}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
