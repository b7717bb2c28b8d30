package io.hiroba.knowledge.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.problem.Problem;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextDecoderTest {

    private static final String JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" + "何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。";
    private static final String GERMAN = "Über den Flüssen hängt müde der Nebel, und die Straßen sind völlig leer.";

    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("JAPANESE", JAPANESE),
            Map.entry("GERMAN", GERMAN),
            Map.entry("SIMPLIFIED", "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠，不亦君子乎？"),
            Map.entry("TRADITIONAL", "本系統的資料庫每天晚上自動備份，如果備份失敗，請聯絡管理員並查看記錄檔。"),
            Map.entry("FRENCH", "L’été dernier, les élèves ont reçu leurs diplômes à l’école près de la forêt."),
            Map.entry(
                    "RUSSIAN",
                    "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему."),
            Map.entry(
                    "POLISH", "Zażółć gęślą jaźń. Wszyscy ludzie rodzą się wolni i równi pod względem swej godności."),
            Map.entry("CZECH", "Příliš žluťoučký kůň úpěl ďábelské ódy, a všichni lidé se rodí svobodní."),
            Map.entry("GREEK", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα."),
            Map.entry(
                    "TURKISH",
                    "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar; akıl ve vicdana sahiptirler."),
            Map.entry("HEBREW", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם."),
            Map.entry("ARABIC", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا."),
            Map.entry(
                    "LITHUANIAN",
                    "Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis. Jiems suteiktas protas ir sąžinė."),
            Map.entry("KOREAN", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."),
            Map.entry("MODERN", "本系统的数据库每天晚上自动备份，如果备份失败，请联系管理员并查看日志文件。"));

    @ParameterizedTest
    @CsvSource({
        "JAPANESE, Shift_JIS",
        "JAPANESE, EUC-JP",
        "JAPANESE, ISO-2022-JP",
        "JAPANESE, UTF-16LE",
        "JAPANESE, UTF-16BE",
        "JAPANESE, UTF-16",
        "SIMPLIFIED, GBK",
        "MODERN, GBK",
        "MODERN, GB18030",
        "MODERN, UTF-16LE",
        "TRADITIONAL, Big5",
        "TRADITIONAL, UTF-16BE",
        "GERMAN, windows-1252",
        "GERMAN, UTF-16LE",
        "GERMAN, ISO-8859-1",
        "FRENCH, windows-1252",
        "RUSSIAN, windows-1251",
        "RUSSIAN, KOI8-R",
        "RUSSIAN, UTF-16LE",
        "POLISH, windows-1250",
        "POLISH, ISO-8859-2",
        "CZECH, windows-1250",
        "GREEK, windows-1253",
        "TURKISH, windows-1254",
        "HEBREW, windows-1255",
        "ARABIC, windows-1256",
        "LITHUANIAN, windows-1257",
        "KOREAN, EUC-KR"
    })
    void anEncodingThatNothingDeclaresIsToldByTheText(String language, String charset) {
        var text = TEXTS.get(language);
        for (var part : List.of(
                text, text.substring(0, Math.min(50, text.length())), "A report, 2024-03-31\nline 2: " + text)) {
            assertThat(decoded(part, charset)).as(language + " in " + charset).isEqualTo(part);
        }
    }

    private static String decoded(String text, String charset) {
        return TextDecoder.text(text.getBytes(Charset.forName(charset)), null);
    }

    @Test
    void fewWordsSuffice() {
        assertThat(decoded("Grüße", "windows-1252")).isEqualTo("Grüße");
        assertThat(decoded("A naïve approach to the problem.", "windows-1252"))
                .isEqualTo("A naïve approach to the problem.");
        assertThat(decoded("naïve café", "windows-1252")).isEqualTo("naïve café");
        assertThat(decoded("Curaçao", "windows-1252")).isEqualTo("Curaçao");
        assertThat(decoded("Hello", "UTF-16LE")).isEqualTo("Hello");
        assertThat(decoded("It’s “fine”", "windows-1252")).isEqualTo("It’s “fine”");
        assertThat(decoded("お知らせ", "Shift_JIS")).isEqualTo("お知らせ");
        assertThat(decoded("東京都千代田区", "Shift_JIS")).isEqualTo("東京都千代田区");
        assertThat(decoded("お知らせ", "EUC-JP")).isEqualTo("お知らせ");
        assertThat(decoded("Привет, мир", "windows-1251")).isEqualTo("Привет, мир");
        assertThat(decoded("name,city\n山田さん,東京\n", "Shift_JIS")).isEqualTo("name,city\n山田さん,東京\n");
        assertThat(decoded("我们的公司在北京", "GBK")).isEqualTo("我们的公司在北京");
        assertThat(decoded("我們的公司在台北", "Big5")).isEqualTo("我們的公司在台北");
    }

    @Test
    void theOnlyWordsBeyondAsciiMayStandAtTheEnd() {
        var code = "int x = 1;\n".repeat(20_000) + "// 設定ファイルを読み込む\n";
        assertThat(decoded(code, "Shift_JIS")).isEqualTo(code);
        var line = "x".repeat(100_000) + "設定ファイルを読み込む";
        assertThat(decoded(line, "Shift_JIS")).isEqualTo(line);
    }

    @Test
    void whatIsDeclaredComesBeforeWhatIsLikely() {
        var page = "<meta charset=Shift_JIS><p>東京".getBytes(Charset.forName("Shift_JIS"));
        assertThat(TextDecoder.markup(page, null)).endsWith("東京");
        var xml = "<?xml version='1.0' encoding='EUC-JP'?><p>東京".getBytes(Charset.forName("EUC-JP"));
        assertThat(TextDecoder.markup(xml, null)).endsWith("東京");
        var old = "<meta http-equiv='Content-Type' content='text/html; charset=gb2312'><p>图们"
                .getBytes(Charset.forName("GBK"));
        assertThat(TextDecoder.markup(old, null)).endsWith("图们");
        assertThat(TextDecoder.markup(page, "windows-31j")).endsWith("東京");
        assertThat(TextDecoder.text("日本".getBytes(Charset.forName("EUC-JP")), "EUC-JP"))
                .isEqualTo("日本");
        // Marks of the maker of the computer, which the encoding of that name has not.
        assertThat(TextDecoder.text("①㈱".getBytes(Charset.forName("windows-31j")), "Shift_JIS"))
                .isEqualTo("①㈱");
        // What is declared is wrong.
        assertThat(TextDecoder.text(JAPANESE.getBytes(Charset.forName("Shift_JIS")), "utf-8"))
                .isEqualTo(JAPANESE);
    }

    @Test
    void aByteOrderMarkComesBeforeWhatIsDeclared() {
        var marked = "\uFEFFЦена".getBytes(StandardCharsets.UTF_8);
        assertThat(TextDecoder.text(marked, "windows-1251")).isEqualTo("Цена");
        assertThat(TextDecoder.markup(marked, null)).isEqualTo("Цена");
        for (var charset : List.of(StandardCharsets.UTF_32LE, StandardCharsets.UTF_32BE)) {
            var wide = ("\uFEFF" + JAPANESE).getBytes(charset);
            assertThat(TextDecoder.text(wide, null)).isEqualTo(JAPANESE);
            assertThat(DocumentType.of(null, "a.txt", null, wide)).isEqualTo(DocumentType.TEXT);
        }
    }

    @Test
    void whatIsDeclaredAsAsciiAndHasMoreIsMostlyUtf8() {
        assertThat(TextDecoder.text("La clé".getBytes(StandardCharsets.UTF_8), "us-ascii"))
                .isEqualTo("La clé");
        assertThat(TextDecoder.text("La clé".getBytes(StandardCharsets.ISO_8859_1), "US-ASCII"))
                .isEqualTo("La clé");
    }

    @Test
    void oneDamagedCharacterOfMany() {
        var damaged = (JAPANESE.repeat(20)).getBytes(StandardCharsets.UTF_8);
        assertThat(TextDecoder.text(Arrays.copyOf(damaged, damaged.length - 1), null))
                .startsWith(JAPANESE)
                .endsWith("\uFFFD");
    }

    @Test
    void randomBytesAreRefused() {
        var random = new Random(7);
        for (int i = 0; i < 300; i++) {
            var bytes = new byte[24 + random.nextInt(2000)];
            random.nextBytes(bytes);
            if (i % 3 == 1) {
                // No control characters, so that it is not taken for binary.
                for (int at = 0; at < bytes.length; at++) {
                    bytes[at] = (byte) (bytes[at] & 0xFF | (bytes[at] >= 0 && bytes[at] < ' ' ? 0x80 : 0));
                }
            } else if (i % 3 == 2) {
                for (int at = 0; at < bytes.length; at++) {
                    bytes[at] |= (byte) 0x80;
                }
            }
            bytes[0] = (byte) 0xE1;
            refused(bytes, null);
        }
    }

    private static void refused(byte[] bytes, @Nullable String charset) {
        assertThatThrownBy(() -> TextDecoder.text(bytes, charset)).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.code()).isEqualTo("knowledge.unknown-encoding");
            assertThat(problem.getMessage()).contains("Shift_JIS").contains("Convert it to UTF-8");
        });
    }

    @Test
    void wideTextWithoutAMarkIsNoBinaryFile() {
        for (var charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            assertThat(DocumentType.of(null, "a.txt", null, ("Line 1\n" + GERMAN).getBytes(charset)))
                    .isEqualTo(DocumentType.TEXT);
            assertThat(DocumentType.of(null, "a.csv", null, ("a,b\n" + JAPANESE).getBytes(charset)))
                    .isEqualTo(DocumentType.CSV);
        }
    }
}
