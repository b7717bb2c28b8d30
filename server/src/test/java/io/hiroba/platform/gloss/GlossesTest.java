package io.hiroba.platform.gloss;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A small dictionary in the formats of EDICT and CC-CEDICT. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GlossesTest {

    private static final String JAPANESE = """
            　？？？ /a header that is no word/
            犬 [いぬ] /(n) (1) dog (the animal)/(n) (2) (derog) spy/(P)/
            犬 [けん] /(suf) (arch) hound/
            飼う [かう] /(v5u,vt) to keep (a pet)/to have/(P)/
            部屋 [へや] /(n) (1) room/chamber/(P)/
            有給 [ゆうきゅう] /(n) salaried/(P)/
            休暇 [きゅうか] /(n) holiday/(P)/
            有給休暇 [ゆうきゅうきゅうか] /(n) paid leave/
            サーバー /(n) (1) (comp) server/(P)/
            家賃 [やちん] /(n) rent/(P)/
            払う [はらう] /(v5u,vt) (1) to pay/(P)/
            必要 [ひつよう] /(adj-na) necessary/(P)/
            申請 [しんせい] /(n,vs) application/(P)/
            方法 [ほうほう] /(n) method/(P)/
            """;

    private static final String CHINESE = """
            租金
            [zū jīn]
            rent
            房東|房东
            [fáng dōng]
            landlord
            王
            [Wáng]
            surname Wang
            王
            [wáng]
            king or monarch
            狗
            [gǒu]
            dog
            CL:隻|只[zhī],條|条[tiáo]
            申請|申请
            [shēn qǐng]
            to apply for sth
            退還|退还
            [tuì huán]
            to return (sth borrowed etc)
            """;

    @TempDir
    static Path folder;

    private Glosses glosses;

    @BeforeAll
    void open() throws IOException {
        glosses = new Glosses(
                table("ja", EdictReader.read(new BufferedReader(new StringReader(JAPANESE)))),
                table("zh", CedictReader.read(new BufferedReader(new StringReader(CHINESE)))));
    }

    private GlossTable table(String name, Map<String, String> words) throws IOException {
        var file = folder.resolve(name);
        GlossTable.write(file, words);
        return GlossTable.open(file);
    }

    @ParameterizedTest
    @CsvSource({
        "部屋で犬を飼っています, room dog keep",
        "有給休暇, paid leave",
        "家賃を払わなかった, rent pay not",
        "へや, room",
        "サーバ, server",
        "ｻｰﾊﾞｰ, server",
        "有給休暇の申請方法, paid leave application method",
    })
    void japaneseIsGlossedByBaseFormsAndWholeCompounds(String text, String english) {
        assertThat(glosses.apply(text)).isEqualTo(english);
    }

    @ParameterizedTest
    @CsvSource({
        "房东不退还租金, landlord not return rent",
        "房東不退還租金, landlord not return rent",
        "王的狗, king or monarch dog",
        "申请, apply for",
    })
    void chineseIsGlossedInBothWritings(String text, String english) {
        assertThat(glosses.apply(text)).isEqualTo(english);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Am I allowed to have a snake?", "Größe  12 \t№ 5", "한국어", "ＦＵＬＬ"})
    void otherTextsStayAsTheyAre(String text) {
        assertThat(glosses.apply(text)).isSameAs(text);
    }

    @Test
    void otherScriptsAndNumbersInATextStayInTheirPlaces() {
        assertThat(glosses.apply("HTTP 503のサーバー。Restart it！租金 5,800 元"))
                .startsWith("HTTP 503 server")
                .contains("Restart it")
                .contains("rent")
                .contains("5,800");
    }

    @Test
    void hanAloneIsOfTheLanguageWhoseDictionaryHasIt() {
        assertThat(glosses.apply("有給休暇")).isEqualTo("paid leave");
        assertThat(glosses.apply("租金")).isEqualTo("rent");
    }

    @Test
    void aCharacterOutsideTheBasicPlaneStaysWhole() {
        assertThat(glosses.apply("𠮷房东𠮷的租金")).isEqualTo("𠮷 landlord 𠮷 rent");
    }

    @Test
    void functionWordsAloneAreLeftAsTheyAre() {
        assertThat(glosses.apply("です")).isEqualTo("です");
    }

    @Test
    void aNameIsWrittenInLatinLetters() {
        assertThat(glosses.apply("渋谷の部屋")).isEqualTo("shibuya room");
    }

    @Test
    void theTableFindsEveryWordAndNoOther() throws IOException {
        var words = Map.of("a", "1", "b", "2", "ab", "3", "𠮟る", "scold", "叱る", "scold too");
        var table = table("few", words);
        assertThat(table.size()).isEqualTo(words.size());
        words.forEach((word, gloss) -> assertThat(table.gloss(word)).contains(gloss));
        assertThat(table.gloss("")).isEmpty();
        assertThat(table.gloss("abc")).isEmpty();
    }

    @Test
    void dictionariesAreMadeIntoTablesOnce() throws IOException {
        var cache = Files.createDirectories(folder.resolve("cache"));
        var files = new GlossFiles(cache);
        assertThat(files.exist()).isFalse();
        Files.writeString(cache.resolve("edict.utf8"), JAPANESE);
        try (var zipped = new GZIPOutputStream(Files.newOutputStream(cache.resolve("cc-cedict.dict.dz")))) {
            zipped.write(CHINESE.getBytes(StandardCharsets.UTF_8));
        }
        files.make();
        assertThat(files.exist()).isTrue();
        assertThat(files.open().apply("犬")).isEqualTo("dog");
        Files.writeString(cache.resolve("edict.utf8"), "");
        files.make();
        assertThat(files.open().apply("犬")).isEqualTo("dog");
        try (var left = Files.list(cache)) {
            assertThat(left).hasSize(4);
        }
    }
}
