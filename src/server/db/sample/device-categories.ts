import type { DeviceIcon } from '#features/catalog/contract.ts'

/** In the order of the page. */
export const sampleDeviceCategories: { name: string; icon: DeviceIcon; devices: string[] }[] = [
  {
    name: 'Amazon Fire TV',
    icon: 'flame',
    devices: [
      'Fire TV Stick',
      'Fire TV Stick 4K',
      'Fire TV Stick 4K Max',
      'Fire TV Cube',
      'Televisions with Fire TV built in',
    ],
  },
  {
    name: 'Android TV & Phones',
    icon: 'smartphone',
    devices: ['Android TV and Google TV', 'Streaming boxes with Android TV', 'Android phones', 'Android tablets'],
  },
  { name: 'Apple TV & iOS', icon: 'tablet', devices: ['Apple TV HD', 'Apple TV 4K', 'iPhone', 'iPad'] },
  { name: 'Smart TVs', icon: 'tv', devices: ['Samsung (Tizen)', 'LG (webOS)', 'Sony (Google TV)', 'Hisense', 'TCL'] },
  { name: 'Windows & Mac', icon: 'laptop', devices: ['Windows 10 and 11', 'macOS', 'Linux with a media player'] },
  { name: 'Web Browser', icon: 'globe', devices: ['Chrome', 'Firefox', 'Safari', 'Edge'] },
  {
    name: 'MAG & Set-Top Boxes',
    icon: 'router',
    devices: ['MAG 322', 'MAG 324', 'MAG 420', 'MAG 520', 'Formuler boxes', 'Other boxes with an IPTV app'],
  },
  {
    name: 'Roku & Casting',
    icon: 'cast',
    devices: ['Roku players and Roku TV (screen mirroring)', 'Chromecast', 'AirPlay receivers'],
  },
]
