package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hiroba.embedded.Dictionaries;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedException;
import io.hiroba.knowledge.embedding.EmbeddingProvider.Purpose;
import io.hiroba.platform.gloss.Glosses;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With the dictionaries themselves, which the first run fetches. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GlossedProviderTest {

    private static final List<String> PASSAGES = List.of(
            "Tenants may keep small birds and fish. Dogs, cats and reptiles are not allowed.",
            "Cool a burn under running water for twenty minutes. Do not use ice.",
            "室内で飼えるのは小鳥と観賞魚だけです。犬、猫、爬虫類は飼育できません。",
            "やけどはすぐに流水で二十分ほど冷やす。氷を直接当ててはいけない。",
            "承租人可以饲养小鸟和观赏鱼，猫、狗和爬行动物一律不得带入。",
            "烫伤后应立即用流动的清水冲洗二十分钟，不要用冰块直接敷。");

    private final LocalProvider english = new LocalProvider();
    private final GlossedProvider provider = new GlossedProvider(english);

    @BeforeAll
    void fetch() throws IOException {
        try {
            assertThat(Dictionaries.fetch(EmbeddedConfig.defaultCacheDir())).isEqualTo(Glosses.folder());
            Glosses.install();
        } catch (EmbeddedException e) {
            assumeThat(Glosses.areInstalled()).as(e.getMessage()).isTrue();
        }
    }

    @AfterAll
    void end() {
        provider.close();
    }

    @ParameterizedTest
    @CsvSource({
        "Am I allowed to have a snake in my flat?, 0",
        "マンションでヘビを飼ってもいいですか, 0",
        "租来的房子里可以养猫狗吗, 0",
        "租來的房子裡可以養貓狗嗎, 0",
        "hot water on the skin: what to do, 1",
        "熱湯をかぶった, 1",
        "被开水烫了怎么办, 1",
    })
    void aQuestionFindsTheAnswerInEachLanguage(String question, int answer) throws ProviderException {
        var query = provider.embed(List.of(question), Purpose.QUERY).getFirst();
        var passages = provider.embed(PASSAGES, Purpose.PASSAGE);
        for (int language = 0; language < PASSAGES.size(); language += 2) {
            assertThat(TestEmbedding.similarity(query, passages.get(language + answer)))
                    .as(PASSAGES.get(language + answer))
                    .isGreaterThan(TestEmbedding.similarity(query, passages.get(language + 1 - answer)) + 0.02);
        }
    }

    @Test
    void englishHasTheVectorsOfItsModelAndZerosBehindThem() throws ProviderException {
        var texts = List.of("Am I allowed to have a snake in my flat?", "Größe 12", "ＦＵＬＬ width", "한국어");
        var plain = english.embed(texts, Purpose.PASSAGE);
        var glossed = provider.embed(texts, Purpose.PASSAGE);
        for (int i = 0; i < texts.size(); i++) {
            assertThat(glossed.get(i))
                    .hasSize(GlossedProvider.MODEL.dimensions())
                    .isEqualTo(Arrays.copyOf(plain.get(i), GlossedProvider.MODEL.dimensions()));
        }
    }

    @Test
    void aForeignNameDoesNotTurnATextAround() throws ProviderException {
        var plain = "The office moves to the third floor of the building in March, and everybody packs their own desk.";
        var vectors = provider.embed(List.of(plain, plain + " 広場"), Purpose.PASSAGE);
        assertThat(TestEmbedding.similarity(vectors.getFirst(), vectors.getLast()))
                .isGreaterThan(0.9);
    }
}
