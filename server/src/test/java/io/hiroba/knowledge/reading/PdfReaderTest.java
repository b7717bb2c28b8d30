package io.hiroba.knowledge.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.knowledge.reading.Block.Text;
import io.hiroba.platform.problem.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
import org.junit.jupiter.api.Test;

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
            assertThat(problem.detail()).contains(why);
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
        refused(bytes(sealed), "does not allow");
        var whole = bytes(pdf("Something"));
        refused(Arrays.copyOf(whole, 200), "broken");
        refused("%PDF-1.7 and nothing more".getBytes(StandardCharsets.US_ASCII), "broken");
        refused(bytes(pdf("", "")), "no text");
    }

    @Test
    void aSmallFileThatUnpacksToALargeOneIsRefused() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new DeflaterOutputStream(packed)) {
            zeros(out, 70 << 20);
        }
        var document = pdf("Something");
        var stream = new PDStream(document);
        try (var out = stream.getCOSObject().createRawOutputStream()) {
            out.write(packed.toByteArray());
        }
        stream.getCOSObject().setItem(COSName.FILTER, COSName.FLATE_DECODE);
        document.getPage(0).setContents(stream);
        var bomb = bytes(document);
        assertThat(bomb).hasSizeLessThan(1 << 20);
        refused(bomb, "unpacks");
    }

    @Test
    void aStreamThatIsPackedTwiceIsRefused() throws IOException {
        var document = pdf("Something");
        var stream = new PDStream(document);
        try (var out = stream.getCOSObject().createRawOutputStream()) {
            out.write(new byte[] {1, 2, 3});
        }
        var filters = new COSArray();
        filters.add(COSName.LZW_DECODE);
        filters.add(COSName.FLATE_DECODE);
        stream.getCOSObject().setItem(COSName.FILTER, filters);
        document.getPage(0).setContents(stream);
        refused(bytes(document), "unpacks");
    }

    private static void zeros(OutputStream out, int count) throws IOException {
        var block = new byte[1 << 16];
        for (int written = 0; written < count; written += block.length) {
            out.write(block);
        }
    }
}
