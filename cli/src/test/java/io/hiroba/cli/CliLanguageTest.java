package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client in the languages of shells. */
class CliLanguageTest {

    private final FakeServer server;
    private final CliRunner client;

    CliLanguageTest(@TempDir Path home) throws IOException {
        server = new FakeServer();
        client = new CliRunner(home).with("HIROBA_URL", server.url()).with("HIROBA_TOKEN", "t");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void theShellsLocaleDecides() {
        assertThat(language(Map.of())).isEqualTo(CliLanguage.ENGLISH);
        assertThat(language(Map.of("LANG", "ja_JP.UTF-8"))).isEqualTo(CliLanguage.JAPANESE);
        assertThat(language(Map.of("LANG", "zh_TW.UTF-8"))).isEqualTo(CliLanguage.CHINESE);
        assertThat(language(Map.of("LANG", "de_DE.UTF-8"))).isEqualTo(CliLanguage.ENGLISH);
        assertThat(language(Map.of("LANG", "ja_JP.UTF-8", "LC_MESSAGES", "zh_CN.UTF-8")))
                .isEqualTo(CliLanguage.CHINESE);
        assertThat(language(Map.of("LANG", "ja_JP.UTF-8", "LC_ALL", "C.UTF-8"))).isEqualTo(CliLanguage.ENGLISH);
        assertThat(language(Map.of("HIROBA_LANGUAGE", "ja", "LC_ALL", "C.UTF-8")))
                .isEqualTo(CliLanguage.JAPANESE);
    }

    @Test
    void aListHasItsHeadingsInTheLanguageAndStaysAligned() {
        server.answering("GET /api/v1/inbox", 200, """
                {"items":[
                  {"id":"19A8C2E846E00000","action":"review_requested","read":false,"author":{"name":"Ben"},
                   "namespace":{"path":"shop/web"},"resource":{"title":"Faster cart"}},
                  {"id":"19A8C2F111E00000","action":"newly_invented","read":true,"author":null,
                   "namespace":{"path":"shop"},"resource":{"title":"Old cart"}}],
                 "next":"c2"}""");
        var outcome = client.with("LANG", "ja_JP.UTF-8").run("inbox", "list");

        assertThat(outcome.out()).isEqualTo("""
                ID                   内容            作成者  場所      件名
                19A8C2E846E00000  *  レビュー依頼    Ben     shop/web  Faster cart
                19A8C2F111E00000     newly invented          shop      Old cart
                """);
        assertThat(outcome.err()).isEqualTo("続きがあります：--after c2を付けてください\n");
    }

    @Test
    void theServerIsAskedToAnswerInTheLanguage() {
        server.answering("GET /api/v1/me", 403, "{\"code\":\"http.forbidden\",\"detail\":\"否。\"}");

        assertThat(client.with("LANG", "zh_CN.UTF-8").run("whoami").err()).isEqualTo("否。\n");
        assertThat(server.lastRequest().language()).isEqualTo("zh-CN");
        client.with("LANG", "ja_JP.UTF-8").run("records", "export", "19A8C2E846E00000", "things");
        assertThat(server.lastRequest().language()).isEqualTo("ja");
        client.with("LANG", "C").run("whoami");
        assertThat(server.lastRequest().language()).isEqualTo("en");
    }

    @Test
    void aFailureOfTheClientIsToldInTheLanguage() {
        var japanese = client.with("LANG", "ja_JP.UTF-8").run("inbox", "done");
        assertThat(japanese.code()).isEqualTo(Cli.USAGE);
        assertThat(japanese.err()).isEqualTo("項目を指定してください。IDは`inbox list`で確認できます。\n");

        var chinese = client.with("LANG", "zh_CN.UTF-8").run("whoami", "--url", "ftp://x", "--json");
        assertThat(chinese.err()).contains("\"code\":\"cli.usage\"", "`ftp://x` 不是服务器地址");
    }

    @Test
    void helpIsInTheLanguage() {
        assertThat(client.with("LANG", "ja_JP.UTF-8")
                        .run("inbox", "list", "--help")
                        .out())
                .startsWith("使い方：hiroba inbox list [-h]")
                .contains("受信トレイの項目を一覧表示します。", "このヘルプを表示します。");
        assertThat(client.with("LANG", "zh_CN.UTF-8").run("--help").out())
                .contains("用法：hiroba", "命令：", "  3  无法连接服务器")
                .doesNotContain("Usage", "Commands");
    }

    @Test
    void whatIsWrittenWronglyIsToldInTheLanguage() {
        client.with("LANG", "ja_JP.UTF-8");

        assertThat(usageError("user")).isEqualTo("何をするかを指定してください：create, list, show。");
        assertThat(usageError("usr")).isEqualTo("余分な引数です：usr");
        assertThat(client.run("usr").err()).contains("もしかして：user");
        assertThat(usageError("whoami", "--bogus")).isEqualTo("不明なオプションです：--bogus");
        assertThat(usageError("login")).isEqualTo("指定が必要です：--email=ADDRESS");
        assertThat(usageError("user", "show")).isEqualTo("指定が必要です：ID");
        assertThat(usageError("user", "list", "--limit", "x")).isEqualTo("--limit=Nに指定できない値です：x");
        assertThat(usageError("whoami", "--url", "a", "--url", "b")).isEqualTo("1回だけ指定できます：--url=URL");
        assertThat(usageError("inbox", "snooze", "1"))
                .isEqualTo("次のいずれかの指定が必要です：--for=TIME, --until=TIME, --until-event=EVENT");
        assertThat(usageError("inbox", "snooze", "--for", "1h", "--until", "x", "1"))
                .startsWith("同時には指定できないオプションです。");
        assertThat(server.requests()).isEmpty();
    }

    private String usageError(String... words) {
        var outcome = client.run(words);
        assertThat(outcome.code()).isEqualTo(Cli.USAGE);
        return outcome.err().lines().findFirst().orElseThrow();
    }

    private static CliLanguage language(Map<String, String> variables) {
        return CliLanguage.of(name -> Optional.ofNullable(variables.get(name)));
    }
}
