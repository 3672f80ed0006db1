/** What Macintosh computers wrote above ASCII before they had Unicode: its signs from 0x80 on. */
const macSigns =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»… ' +
  'ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ'

/** Text as MacRoman. */
export const macRoman = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (sign) => {
      const place = macSigns.indexOf(sign)
      return place < 0 ? sign.charCodeAt(0) : 0x80 + place
    }),
  )
