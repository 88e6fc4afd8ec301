import { DOMParser } from '@xmldom/xmldom';
import { ExclusiveCanonicalization } from 'xml-crypto';
import { canonical as written, element } from '../xml/element.ts';
import { enveloped } from '../xml/enveloped-signature.ts';
import { certified } from '../xml/testing/certificates.ts';
import { canonical, elementsIn, parseXml, signaturesIn } from './verify-xml.mjs';

const byLibrary = (xml: string): string => {
  const root = new DOMParser().parseFromString(xml, 'text/xml').documentElement;
  return new ExclusiveCanonicalization().process(root as never, {}).toString();
};

test.each([
  ['empty elements, and text that is escaped', '<a><b/>x &amp; y &lt; z &gt; "q"<c t="&quot;&lt;&amp;&#10;&#9;"></c></a>'],
  ['attributes in their order', '<a z="1" b="2" xmlns:q="urn:q" q:a="3" xml:lang="sq"/>'],
  ['namespaces where they are first used', '<p:a xmlns:p="urn:p" xmlns:unused="urn:u"><p:b><c xmlns="urn:c"><d xmlns=""/></c></p:b></p:a>'],
  ['a prefix that is declared again', '<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"><p:c/></p:b></p:a>'],
  ['comments, CDATA and line ends', '<?xml version="1.0"?>\n<!-- c --><a>\r\n<![CDATA[1 < 2 & 3]]><!-- d -->\r</a>'],
  ['characters beyond ASCII', '<a n="Ë">ç&#xEB;&#8364;</a>'],
])('%s are written as another implementation writes them', (_what, xml) => {
  expect(canonical(parseXml(xml))).toBe(byLibrary(xml));
});

test.each([
  ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
  ['an unknown entity', '<a>&x;</a>'],
  ['another end tag', '<a><b></a></b>'],
  ['no end', '<a><b>'],
  ['two roots', '<a/><b/>'],
  ['no XML', 'not XML'],
])('%s is refused', (_what, xml) => {
  expect(() => parseXml(xml)).toThrow();
});

describe('signatures', () => {
  const signer = certified({ name: 'Test taxpayer' });
  const request = written(element('Request', { xmlns: 'urn:x', Id: 'Request' }, [element('Total', {}, ['12.30'])]));
  const { text, signedWith } = enveloped(request, 'Request');
  const signed = `<Envelope xmlns="urn:soap"><Body>${signedWith(signer.sign(text))}</Body></Envelope>`;
  const problemOf = (xml: string): (string | null | undefined)[] => signaturesIn(parseXml(xml)).map(({ problem }) => problem);

  test('of an element within a message holds, and names its signer', () => {
    expect(signaturesIn(parseXml(signed))).toEqual([{ of: 'Request', subject: 'CN=Test taxpayer', problem: null }]);
  });

  test.each([
    ['12.30', '12.31', 'what it covers was changed'],
    ['Id="Request"', 'Id="Other"', 'it covers another element'],
    ['rsa-sha256', 'rsa-sha1', 'its algorithms are others'],
  ])('does not hold where %s is %s', (before, after, problem) => {
    expect(problemOf(signed.replace(before, after))).toEqual([problem]);
  });

  test('does not hold by another key', () => {
    const other = certified({ name: 'Test taxpayer', isAuthority: true });
    const { certificate } = other.sign('');
    expect(problemOf(signed.replace(/<X509Certificate>[^<]*/, `<X509Certificate>${certificate}`))).toEqual([
      'it is not by the key of its certificate',
    ]);
  });

  test('are none where there are none', () => {
    expect(signaturesIn(parseXml('<a><b/></a>'))).toEqual([]);
    expect(elementsIn(parseXml('<a>x<b/></a>'))).toHaveLength(1);
  });
});
