/** The words of the field: what each is called, and what it means to whoever meets it first. */
export const termsEn = {
  package: {
    word: 'Package',
    means:
      'What the archive keeps as one: files, with what is said about them. It stands in the list once, ' +
      'however many generations it has.',
  },
  aip: {
    word: 'AIP',
    means:
      'Archival information package: one generation of a package, as the archive stores it and copies it.',
  },
  aic: {
    word: 'AIC',
    means:
      'Archival information collection: what holds all generations of one package. It has no files of its ' +
      'own; they are in its AIPs.',
  },
  sip: {
    word: 'SIP',
    means:
      'Submission information package: the package in the shape in which it is sent. Lectern packs it as a ' +
      'BagIt bag or as an E-ARK SIP.',
  },
  dip: {
    word: 'Dissemination package (DIP)',
    means:
      'A package that the archive makes out of others for an order, to be handed out. What is preserved ' +
      'stays as it is.',
  },
  generation: {
    word: 'Generation',
    means:
      'One state of a package that was preserved. A later generation stands beside the earlier ones; none ' +
      'is overwritten.',
  },
  copy: {
    word: 'Copy',
    means:
      'One generation of a package on one medium. Archives call it a storage object. The policy says how ' +
      'many there should be.',
  },
  medium: {
    word: 'Medium',
    means: 'What copies are written to: a tape, a disk, or a place in an object store. It has a location.',
  },
  target: {
    word: 'Target',
    means:
      'Where a storage method writes: a series of tapes, a folder on a disk, an object store. Its media ' +
      'belong to it. Nothing is fetched from a target that is disabled.',
  },
  method: {
    word: 'Method',
    means:
      'How a policy has a copy written, for instance to tape or to disk. Each method that is enabled means ' +
      'one copy.',
  },
  policy: {
    word: 'Policy',
    means:
      'The archive’s rule for how packages are stored: which methods, and so how many copies of what kind.',
  },
  container: {
    word: 'Container',
    means: 'A copy that is one file (tar), with all files of the package in it.',
  },
  transfer: {
    word: 'Transfer',
    means:
      'What you send to the archive, from draft to preserved. It becomes a package, or a new generation of ' +
      'one.',
  },
  draft: {
    word: 'Draft',
    means: 'A transfer that is not packed yet. It is kept on this computer as you type.',
  },
  outbox: {
    word: 'Outbox',
    means:
      'What is ready to go to the archive and waits for it to be reached: transfers, orders, and records ' +
      'that were created. It is sent by itself.',
  },
  delivery: {
    word: 'Delivery',
    means:
      'What transfers belong to: what one organization hands over on one occasion, recorded in the archive.',
  },
  agreement: {
    word: 'Submission agreement',
    means:
      'What the archive and whoever delivers have agreed on: how packages are to be made, and by which ' +
      'policy they are stored.',
  },
  profile: {
    word: 'Profile',
    means: 'Rules in writing for how a package is built and what has to be said about it.',
  },
  ingest: {
    word: 'Ingest folder',
    means: 'A folder from which an archive takes in what is laid there. Not every archive has one.',
  },
  batch: {
    word: 'Batch',
    means: 'Many transfers that are begun at once, out of a table or a folder of folders.',
  },
  packageFormat: {
    word: 'BagIt bag',
    means:
      'A folder, tar or zip with the files, a list of their checksums, and a few lines about where they ' +
      'come from (RFC 8493). Any computer can check it.',
  },
  manifest: {
    word: 'Manifest',
    means: 'The list in a bag that names every file with its checksum.',
  },
  digest: {
    word: 'Checksum (digest)',
    means:
      'A number computed from every byte of a file, with SHA-256 for instance. If one byte differs, the ' +
      'number differs.',
  },
  fixity: {
    word: 'Fixity',
    means:
      'That a file is still, byte for byte, what it was. It is shown by computing its checksum again and ' +
      'comparing.',
  },
  mets: {
    word: 'METS',
    means:
      'The file in which an archive writes down what a package consists of, with size and checksum of ' +
      'every ' +
      'file.',
  },
  archive: {
    word: 'Archive (fonds)',
    means: 'All records of one archival creator, at the top of the tree of description.',
  },
  structure: {
    word: 'Structure',
    means: 'How an archive is arranged: a tree of structure units, with its rules and its version.',
  },
  unit: {
    word: 'Structure unit',
    means: 'A heading in a structure: a class, a series, a process. Units of description are placed in it.',
  },
  node: {
    word: 'Unit of description',
    means:
      'What is described as one thing in the tree (ISAD(G)): an archive, a volume, a file, a document. It ' +
      'is called a node in ESSArch, and a tag in some systems.',
  },
  code: {
    word: 'Reference code',
    means: 'The code that a record is cited by, as in SE/STA/1443.',
  },
  agent: {
    word: 'Agent',
    means: 'A person, family or organization that has had to do with records. Also called an authority.',
  },
  creator: {
    word: 'Archival creator',
    means: 'The agent in whose work the records came to be.',
  },
  location: {
    word: 'Location',
    means: 'Where something stands: building, room, shelf. Media and volumes have one.',
  },
  vocabulary: {
    word: 'Vocabulary',
    means: 'A list of the values that a field may have, such as kinds of agents.',
  },
  event: {
    word: 'Event',
    means:
      'What the archive did with a package, when, and how it went, in its own words (PREMIS). Events are ' +
      'not changed afterwards.',
  },
  journal: {
    word: 'Journal',
    means:
      'What was done at this desk, line by line. Each line is bound to the one before, so that a change ' +
      'afterwards shows.',
  },
  receipt: {
    word: 'Receipt',
    means:
      'The paper that says what was sent, what the archive preserved of it, and whether the originals may ' +
      'be deleted.',
  },
  order: {
    word: 'Order',
    means: 'The packages that are asked for on one occasion, with where each of them lies.',
  },
  slip: {
    word: 'Slip',
    means: 'The paper that goes with one thing that is fetched. Its code leads back to the package.',
  },
  walkingList: {
    word: 'Walking list',
    means: 'What is to be fetched for an order, by room and by medium, for one walk.',
  },
} as const

export type TermName = keyof typeof termsEn
