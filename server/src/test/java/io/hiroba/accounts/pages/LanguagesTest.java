package io.hiroba.accounts.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The languages of pages, of mails and of problems, and who keeps which. */
class LanguagesTest {

    private static final PagesServer server = new PagesServer();

    @AfterAll
    static void close() {
        server.close();
    }

    private static ApiClient accepting(String languages) {
        return server.anonymous().with("Accept-Language", languages);
    }

    private static ApiClient choosing(String language) {
        return server.anonymous().with("Cookie", "hiroba_language=" + language);
    }

    private static ApiClient signedIn(String email) {
        var reply = server.anonymous()
                .post("/api/v1/session", "{'email':'%s','password':'%s'}".formatted(email, PagesServer.PASSWORD));
        assertThat(reply.outcome()).isEqualTo("201");
        return server.anonymous().cookie(reply.cookie());
    }

    private static Reply submit(ApiClient client, String path, String... fields) {
        var body = Stream.of(fields)
                .map(field -> field.split("=", 2))
                .map(field -> field[0] + "=" + URLEncoder.encode(field[1], StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return client.sendAs("application/x-www-form-urlencoded", "POST", path, body);
    }

    @ParameterizedTest
    @CsvSource({"en,en,Create an account", "ja,ja,アカウントを作成", "zh,zh-CN,创建账号"})
    void theSignUpPageIsInTheLanguageThatWasChosenElseInTheBrowsers(String code, String tag, String heading) {
        var chosen = choosing(code).with("Accept-Language", "ja,zh;q=0.5").get("/signup");
        var asked = accepting("fr," + tag + ";q=0.8,en;q=0.1").get("/signup");

        for (var page : new Reply[] {chosen, asked}) {
            assertThat(page.body()).contains("<html lang=\"" + tag + "\"").contains("<h1>" + heading + "</h1>");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "en,Your code for signing up to Hiroba,'To finish signing up, enter this code:'",
        "ja,Hirobaの新規登録用コード,新規登録を完了するには、次のコードを入力してください：",
        "zh,你的 Hiroba 注册验证码,要完成注册，请输入此验证码："
    })
    void theMailIsInTheLanguageOfTheRequest(String code, String subject, String text) {
        accepting(code).post("/api/v1/signup/start", "{'email':'api-%s@example.org'}".formatted(code));
        submit(choosing(code), "/signup", "email=page-" + code + "@example.org");

        assertThat(server.mail("api-" + code + "@example.org", subject).text()).contains(text);
        assertThat(server.mail("page-" + code + "@example.org", subject).text()).contains(text);
    }

    @ParameterizedTest
    @CsvSource({
        "en,must be an e-mail address such as ann@example.org,Must be an e-mail address such as ann@example.org.",
        "ja,メールアドレス（例：ann@example.org）を入力してください,メールアドレス（例：ann@example.org）を入力してください。",
        "zh,必须是形如 ann@example.org 的邮箱地址,必须是形如 ann@example.org 的邮箱地址。"
    })
    void aProblemIsInTheLanguageOfTheRequest(String code, String message, String sentence) {
        var answer = accepting(code).post("/api/v1/signup/start", "{'email':'nobody'}");
        assertThat(answer.outcome()).isEqualTo("400 accounts.invalid");
        assertThat(answer.json().path("errors").path(0).path("message").asString())
                .isEqualTo(message);
        assertThat(answer.text("detail")).contains(message);

        var page = submit(choosing(code), "/signup", "email=nobody");
        assertThat(page.status()).isEqualTo(422);
        assertThat(page.body()).contains(sentence);
    }

    @Test
    void theSwitchKeepsTheLanguageWithTheAccount() {
        var email = server.user("Switcher");
        var here = signedIn(email);
        var elsewhere = signedIn(email);
        assertThat(elsewhere.get("/settings").body()).contains("<h1>Settings</h1>");

        var switched = submit(here, "/language", "language=ja", "next=/settings");
        assertThat(switched.status()).isEqualTo(303);
        assertThat(switched.header("Location")).isEqualTo("/settings");
        assertThat(switched.header("Set-Cookie")).startsWith("hiroba_language=ja;");
        assertThat(elsewhere.get("/settings").body()).contains("<html lang=\"ja\"", "<h1>設定</h1>");
        assertThat(elsewhere.get("/api/v1/me").text("language")).isEqualTo("ja");
    }

    @Test
    void theSwitchComesBackToTheSameAddress() {
        for (var address : new String[] {"/signup?invitation=abc", "/login?next=/search%3Fq=a%2520b"}) {
            var page = Jsoup.parse(server.anonymous().get(address).body());
            assertThat(page.select("form[action=/language] [name=next], form[action=/theme] [name=next]")
                            .eachAttr("value"))
                    .hasSize(2)
                    .containsOnly(address);
            for (var form : new String[] {"/language", "/theme"}) {
                var switched = submit(server.anonymous(), form, "language=ja", "theme=dark", "next=" + address);
                assertThat(switched.header("Location")).isEqualTo(address);
                var foreign = submit(server.anonymous(), form, "language=ja", "theme=dark", "next=//evil.example?a=b");
                assertThat(foreign.header("Location")).isEqualTo("/");
            }
        }
    }

    @Test
    void theSwitchIgnoresALanguageThatItDoesNotKnow() {
        var member = signedIn(server.user("Stays"));
        submit(member, "/language", "language=zh", "next=/settings");
        var ignored = submit(member, "/language", "language=tlh", "next=/settings");

        assertThat(ignored.status()).isEqualTo(303);
        assertThat(ignored.header("Set-Cookie")).isEmpty();
        assertThat(member.get("/settings").body()).contains("<h1>设置</h1>");
    }

    @Test
    void whoSignsUpKeepsTheLanguageAndTheZoneOfTheBrowser() {
        var browser = server.anonymous().with("Cookie", "hiroba_language=zh; hiroba_zone=Asia/Shanghai");
        var email = "browser@example.org";
        var verify = submit(browser, "/signup", "email=" + email).header("Location");
        submit(browser, verify, "code=" + server.codeFor(email), "nickname=小花", "password=" + PagesServer.PASSWORD);

        var self = signedIn(email).get("/api/v1/me");
        assertThat(self.text("language")).isEqualTo("zh");
        assertThat(self.text("timeZone")).isEqualTo("Asia/Shanghai");
        assertThat(signedIn(email).get("/").body()).contains("<html lang=\"zh-CN\"");
    }

    @Test
    void whoSignsUpByTheApiKeepsTheLanguageThatTheProgramAsksFor() {
        var japanese = signedUp(accepting("ja"), "program-ja@example.org");
        assertThat(japanese.text("language")).isEqualTo("ja");
        assertThat(japanese.json().path("timeZone").isNull()).isTrue();
        var silent = signedUp(server.anonymous(), "program@example.org");
        assertThat(silent.json().path("language").isNull()).isTrue();
    }

    @Test
    void aProfileWithoutAZoneOffersToStaySo() {
        signedUp(server.anonymous(), "zoneless@example.org");
        var page = signedIn("zoneless@example.org").get("/settings/profile").body();
        assertThat(page).contains("<option value=\"\">The browser's time zone</option>");
        assertThat(page).doesNotContain("<option value=\"UTC\" selected");
    }

    private static Reply signedUp(ApiClient program, String email) {
        var id = program.post("/api/v1/signup/start", "{'email':'%s'}".formatted(email))
                .text("signupId");
        var made = program.post(
                "/api/v1/signup/verify",
                "{'signupId':'%s','code':'%s','nickname':'Program','password':'%s'}"
                        .formatted(id, server.codeFor(email), PagesServer.PASSWORD));
        assertThat(made.outcome()).isEqualTo("201");
        return signedIn(email).get("/api/v1/me");
    }

    @Test
    void theLanguageIsPartOfTheProfile() {
        var email = server.user("Chooser");
        var member = signedIn(email);
        var saved = submit(member, "/settings/profile", "nickname=Chooser", "introduction=", "language=ja");
        assertThat(saved.status()).isEqualTo(303);
        assertThat(member.get("/settings/profile").body())
                .contains("<h1>プロフィール</h1>", "<option value=\"ja\" lang=\"ja\" selected>日本語</option>");

        var path = "/api/v1/users/" + member.get("/api/v1/me").text("id");
        var unknown = member.put(path, "{'nickname':'Chooser','introduction':'','language':'tlh'}");
        assertThat(unknown.outcome()).isEqualTo("400 accounts.invalid");
        assertThat(unknown.json().path("errors").path(0).path("field").asString())
                .isEqualTo("language");
        assertThat(submit(member, "/settings/profile", "nickname=Chooser", "introduction=", "language=tlh")
                        .status())
                .isEqualTo(422);
        assertThat(member.put(path, "{'nickname':'Chooser','introduction':''}")
                        .json()
                        .path("language")
                        .isNull())
                .isTrue();
    }

    @Test
    void aSecurityNoticeIsInTheLanguageOfTheAccount() {
        var email = server.user("Owner");
        submit(signedIn(email), "/language", "language=ja", "next=/");
        var start = server.anonymous().post("/api/v1/password-reset/start", "{'email':'%s'}".formatted(email));
        var code = server.codeFor(email);
        server.anonymous()
                .post(
                        "/api/v1/password-reset/verify",
                        "{'resetId':'%s','code':'%s','password':'another horse'}"
                                .formatted(start.text("resetId"), code));

        assertThat(server.mail(email, "Hirobaのパスワードが変更されました").text()).contains("ほかのセッションは終了しました");
    }
}
