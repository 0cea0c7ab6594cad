import { type Package, readLicensePolicy, shippedPackages } from './checks/licenses.ts'
import { read } from './checks/tree.ts'

// Lists the shipped packages and their licenses; with --sbom as a bill of materials (CycloneDX 1.6, JSON). Run: npm run licenses
const packages = shippedPackages()

type Part = { name: string; version: string; license: string; of: string }
const native = JSON.parse(read('security/native-parts.json')) as { packages: string[]; parts: Part[] }

/** A library inside a package, which the lockfile does not list. */
function partOf(owner: string) {
  return ({ name, version, license, of }: Part) => ({
    type: 'library',
    name,
    version,
    scope: 'optional',
    'bom-ref': `${owner}#${name}@${version}`,
    cpe: `cpe:2.3:a:${of}:${name === 'icu' ? 'international_components_for_unicode' : name}:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [
      license.startsWith('LicenseRef') ? { license: { name: 'public domain' } } : { license: { id: license } },
    ],
  })
}

function component({ name, version, license, integrity, optional }: Package) {
  const [group, bare] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name]
  return {
    type: 'library',
    ...(group && { group }),
    name: bare,
    version,
    scope: optional ? 'optional' : 'required',
    'bom-ref': `${name}@${version}`,
    purl: `pkg:npm/${group ? `${encodeURIComponent(group)}/` : ''}${bare}@${version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }],
    licenses: license.startsWith('(') ? [{ expression: license.slice(1, -1) }] : [{ license: { id: license } }],
  }
}

if (process.argv.includes('--sbom')) {
  const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, 'bom-ref': `${name}@${version}` } },
    components: packages.map((each) => ({
      ...component(each),
      ...(native.packages.includes(each.name) && { components: native.parts.map(partOf(each.name)) }),
    })),
  }
  console.log(JSON.stringify(bill, null, 2))
} else {
  const { agreed, inside } = readLicensePolicy()
  const byLicense = Map.groupBy(packages, ({ license }) => license)
  for (const [license, group] of [...byLicense].toSorted(([, a], [, b]) => b.length - a.length)) {
    console.log(`${license || 'no license'}: ${group.length} (${agreed[license] ?? 'not allowed'})`)
    console.log(
      group.map(({ name, version }) => `  ${name} ${version}${inside[name] ? `, ${inside[name]}` : ''}`).join('\n'),
    )
  }
  for (const { name, version, license } of native.parts)
    console.log(`inside ${native.packages.join(' and ')}: ${name} ${version} (${license})`)
  const required = packages.filter(({ optional }) => !optional).length
  console.log(`${packages.length} packages are shipped, ${packages.length - required} of them only on some platforms.`)
}
