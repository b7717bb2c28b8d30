package io.hiroba.knowledge.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.knowledge.documents.Block.Text;
import io.hiroba.platform.problem.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class PdfReaderTest {

    private static PDDocument pdf(String... pages) throws IOException {
        var document = new PDDocument();
        document.getDocumentInformation().setTitle("A book");
        for (var text : pages) {
            var page = new PDPage();
            document.addPage(page);
            try (var content = new PDPageContentStream(document, page)) {
                content.beginText();
                content.setFont(new PDType1Font(FontName.HELVETICA), 12);
                content.newLineAtOffset(50, 700);
                content.showText(text);
                content.endText();
            }
        }
        return document;
    }

    private static byte[] bytes(PDDocument document) throws IOException {
        try (document) {
            var out = new ByteArrayOutputStream();
            document.save(out);
            return out.toByteArray();
        }
    }

    private static void refused(byte[] content, String why) {
        assertThatThrownBy(() -> PdfReader.read(content)).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.code()).isEqualTo("knowledge.unreadable");
            assertThat(problem.getMessage()).contains(why);
        });
    }

    @Test
    void eachPageIsASection() throws IOException {
        var reading = PdfReader.read(bytes(pdf("First page", "", "Third page")));
        assertThat(reading.title()).isEqualTo("A book");
        assertThat(reading.facts()).containsEntry("page_count", 3);
        assertThat(reading.sections()).extracting(Section::page).containsExactly(1, 3);
        assertThat(reading.sections().get(1).blocks()).containsExactly(new Text("Third page"));
    }

    @Test
    void whatIsEncryptedOrBrokenOrEmptyIsRefused() throws IOException {
        var locked = pdf("Secret");
        locked.protect(new StandardProtectionPolicy("owner", "user", new AccessPermission()));
        refused(bytes(locked), "encrypted");
        var sealed = pdf("Secret");
        var permission = new AccessPermission();
        permission.setCanExtractContent(false);
        sealed.protect(new StandardProtectionPolicy("owner", "", permission));
        refused(bytes(sealed), "encrypted");
        var open = pdf("Secret");
        open.protect(new StandardProtectionPolicy("owner", "", new AccessPermission()));
        refused(bytes(open), "encrypted");
        var whole = bytes(pdf("Something"));
        refused(Arrays.copyOf(whole, 200), "corrupt");
        refused("%PDF-1.7 and nothing more".getBytes(StandardCharsets.US_ASCII), "corrupt");
        refused(bytes(pdf("", "")), "no text");
    }

    @Test
    void aSmallFileThatUnpacksToALargeOneIsRefused() throws IOException {
        var bomb = bytes(withContent(packed(70 << 20), COSName.FLATE_DECODE));
        assertThat(bomb).hasSizeLessThan(1 << 20);
        refused(bomb, "decompresses");
        refused(replaced(bomb, "stream\r\n", "stream \n"), "decompresses");
        refused(replaced(bomb, "stream\r\nx", "stream\r\n\0"), "decompresses");
    }

    @Test
    void aLargeOneIsSeenThroughTheLettersItIsWrittenIn() throws IOException {
        refused(
                bytes(withContent(
                        HexFormat.of().formatHex(packed(70 << 20)).getBytes(StandardCharsets.US_ASCII),
                        COSName.ASCII_HEX_DECODE,
                        COSName.FLATE_DECODE)),
                "decompresses");
        var out = new ByteArrayOutputStream();
        try (var deflater = new DeflaterOutputStream(out)) {
            deflater.write("BT /F1 12 Tf (Hello) Tj ET".getBytes(StandardCharsets.US_ASCII));
        }
        var small = withContent(
                HexFormat.of().formatHex(out.toByteArray()).getBytes(StandardCharsets.US_ASCII),
                COSName.ASCII_HEX_DECODE,
                COSName.FLATE_DECODE);
        assertThat(PdfReader.read(bytes(small)).sections().getFirst().blocks()).containsExactly(new Text("Hello"));
    }

    @Test
    void aStreamThatIsPackedTwiceOrInAWayThatIsNotMeasuredIsRefused() throws IOException {
        var some = new byte[] {1, 2, 3};
        refused(bytes(withContent(some, COSName.LZW_DECODE, COSName.FLATE_DECODE)), "decompresses");
        refused(bytes(withContent(some, COSName.FLATE_DECODE, COSName.FLATE_DECODE)), "decompresses");
        refused(bytes(withContent(some, COSName.LZW_DECODE)), "decompresses");
        refused(bytes(withContent(some, COSName.RUN_LENGTH_DECODE_ABBREVIATION)), "decompresses");
        for (var filter : List.of(
                "/Filter /LZWDecode",
                "/Filter%\n[/L#5aWDecode]",
                "/#46ilter/LZW",
                "/Filter 7 0 R",
                "/Filter [7 0 R]",
                "/Filter[/A85/A85/Fl]")) {
            assertThatThrownBy(() -> PdfSizeCheck.check("1 0 obj <</Type/XRef %s>>stream\n"
                            .formatted(filter)
                            .getBytes(StandardCharsets.US_ASCII)))
                    .as(filter)
                    .isInstanceOf(Problem.class);
        }
    }

    @Test
    void aPageThatShowsTheSameThingAgainAndAgainIsGivenUp() throws IOException {
        var said = "BT /F1 12 Tf %s ET"
                .formatted("(%s) Tj ".formatted("a".repeat(1000)).repeat(600));
        var document = withContent(said.getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> PdfReader.read(bytes(document)))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo("knowledge.too-large"));
    }

    private static PDDocument withContent(byte[] content, COSName... filters) throws IOException {
        var document = pdf("Something");
        var stream = new PDStream(document);
        try (var out = stream.getCOSObject().createRawOutputStream()) {
            out.write(content);
        }
        if (filters.length == 1) {
            stream.getCOSObject().setItem(COSName.FILTER, filters[0]);
        } else if (filters.length > 1) {
            stream.getCOSObject().setItem(COSName.FILTER, new COSArray(List.of(filters)));
        }
        document.getPage(0).setContents(stream);
        return document;
    }

    private static byte[] replaced(byte[] content, String what, String by) {
        return new String(content, StandardCharsets.ISO_8859_1)
                .replace(what, by)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] packed(int zeros) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new DeflaterOutputStream(packed)) {
            zeros(out, zeros);
        }
        return packed.toByteArray();
    }

    private static void zeros(OutputStream out, int count) throws IOException {
        var block = new byte[1 << 16];
        for (int written = 0; written < count; written += block.length) {
            out.write(block);
        }
    }
}
