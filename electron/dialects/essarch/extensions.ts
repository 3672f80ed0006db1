/**
 * Extensions that the table of MIME types of a stock ESSArch knows, as far as they were met or stand in what
 * it is installed with. A site may change the table, and no request tells what stands in it.
 */
export const stockExtensions: ReadonlySet<string> = new Set(
  [
    'asc avi bmp c cc css cxx dat doc dtd el eps f90 flv gif gml gtar h hh htm html hxx jfif jp2 jpe',
    'jpeg jpg jpg2 js kar log mid midi mov mp1 mp2 mp3 mpe mpeg mpg mpga odf odg odp ods odt oga ogg',
    'pdf pm png ppt ps qt rtf sgm sgml spx sql svg tar tif tiff txt text ustar warc wav wma wmv wpd',
    'xbm xht xhtm xhtml xls xml xsd xsl xslt',
  ].flatMap((line) => line.split(' ').map((extension) => `.${extension}`)),
)
