/** What is said around the frame that draws files of packages. */
export const readerEn = {
  troubles: {
    broken: 'It cannot be drawn. Download it to open it with another program.',
    'too complex': 'It is too complex to be drawn here. Download it to open it with another program.',
    'too large': 'It is too large to be drawn here. Download it to open it with another program.',
    protected: 'It is protected by a password, so nobody can see what is in it without one.',
    unreachable: 'The archive does not give the file at the moment.',
    hung: 'Drawing it took too long, and was ended. Download it to open it with another program.',
  },
}
