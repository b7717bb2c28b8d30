package io.hiroba.knowledge.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.knowledge.documents.Block.Items;
import io.hiroba.knowledge.documents.Block.Table;
import io.hiroba.knowledge.documents.Block.Text;
import io.hiroba.platform.problem.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class DocxReaderTest {

    private static final String BODY = """
            <w:document xmlns:w="urn:w" xmlns:mc="urn:mc"><w:body>
            <w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Install</w:t></w:r></w:p>
            <w:p><w:r><w:t>Some </w:t></w:r><w:r><w:t>text.</w:t></w:r><w:del><w:r><w:delText>Gone</w:delText></w:r></w:del></w:p>
            <w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Linux</w:t></w:r></w:p>
            <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one</w:t></w:r></w:p>
            <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>two</w:t></w:r></w:p>
            <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr>
            <w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
            <w:p><w:r><mc:AlternateContent><mc:Choice><w:t>Once</w:t></mc:Choice><mc:Fallback><w:t>Twice</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>
            </w:body></w:document>
            """;

    private static final String STYLES = """
            <w:styles xmlns:w="urn:w"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>
            """;

    private static byte[] docx(Map<String, byte[]> parts) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(out)) {
            for (var part : parts.entrySet()) {
                zip.putNextEntry(new ZipEntry(part.getKey()));
                zip.write(part.getValue());
                zip.closeEntry();
            }
        }
        return out.toByteArray();
    }

    private static byte[] docx(String body) throws IOException {
        var parts = new LinkedHashMap<String, byte[]>();
        parts.put("word/styles.xml", STYLES.getBytes(StandardCharsets.UTF_8));
        parts.put("word/document.xml", body.getBytes(StandardCharsets.UTF_8));
        return docx(parts);
    }

    private static void refused(byte[] content, String why) {
        assertThatThrownBy(() -> DocxReader.read(content)).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.code()).isEqualTo("knowledge.unreadable");
            assertThat(problem.getMessage()).contains(why);
        });
    }

    @Test
    void headingsListsAndTablesAreRead() throws IOException {
        var file = docx(BODY);
        assertThat(DocumentType.of(null, "a", null, file)).isEqualTo(DocumentType.DOCX);
        var reading = DocxReader.read(file);
        assertThat(reading.title()).isEqualTo("Install");
        assertThat(reading.sections())
                .containsExactly(
                        Section.of(List.of("Install"), List.of(new Text("Some text."))),
                        Section.of(
                                List.of("Install", "Linux"),
                                List.of(
                                        new Items(List.of("- one", "- two")),
                                        new Table("a | b", List.of("1 | 2")),
                                        new Text("Once"))));
    }

    @Test
    void anEntityIsNotFollowed() throws IOException {
        var body = """
                <!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]>
                <w:document xmlns:w="urn:w"><w:p><w:r><w:t>A&x;B</w:t></w:r></w:p></w:document>
                """;
        refused(docx(body), "corrupt");
        var laughs = """
                <!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
                <w:document xmlns:w="urn:w"><w:p><w:r><w:t>&c;</w:t></w:r></w:p></w:document>
                """;
        refused(docx(laughs), "corrupt");
    }

    @Test
    void aSmallArchiveThatUnpacksToALargeOneIsRefused() throws IOException {
        var bomb = docx(Map.of("word/document.xml", new byte[70 << 20]));
        assertThat(bomb).hasSizeLessThan(1 << 20);
        refused(bomb, "decompresses");
        var beside = new LinkedHashMap<String, byte[]>();
        for (int i = 0; i < 4; i++) {
            beside.put("word/media/%d.png".formatted(i), new byte[60 << 20]);
        }
        beside.put("word/document.xml", BODY.getBytes(StandardCharsets.UTF_8));
        refused(docx(beside), "decompresses");
    }

    @Test
    void whatIsBrokenIsRefused() throws IOException {
        refused(docx("<w:document xmlns:w='urn:w'><w:p>"), "corrupt");
        refused(docx(Map.of("other.xml", new byte[0])), "corrupt");
    }
}
