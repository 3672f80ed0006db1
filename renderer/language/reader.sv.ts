import type { readerEn } from './reader.en.ts'

export const readerSv: typeof readerEn = {
  troubles: {
    broken: 'Filen kan inte visas. Ladda ner den för att öppna den med ett annat program.',
    'too complex':
      'Filen är för invecklad för att visas här. Ladda ner den för att öppna den med ett annat program.',
    'too large':
      'Filen är för stor för att visas här. Ladda ner den för att öppna den med ett annat program.',
    protected: 'Filen är skyddad med lösenord, så ingen kan se innehållet utan det.',
    unreachable: 'Arkivet lämnar inte ut filen just nu.',
    hung: 'Det tog för lång tid att visa filen. Ladda ner den för att öppna den med ett annat program.',
  },
}
