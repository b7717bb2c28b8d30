package io.hiroba.accounts.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestServer;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A whole server that refuses nothing for being asked often, with people on it and mail in its data folder. */
final class PagesServer implements AutoCloseable {

    static final String PASSWORD = "correct horse";

    static final List<String> SIGNED_IN_PAGES = List.of(
            "/",
            "/newest",
            "/search",
            "/settings",
            "/users",
            "/settings/profile",
            "/settings/email",
            "/settings/password",
            "/settings/security",
            "/settings/confirm",
            "/settings/sessions",
            "/settings/tokens",
            "/settings/apps",
            "/settings/data",
            "/settings/data/delete-account",
            "/admin/users",
            "/admin/invitations",
            "/admin/ai-models",
            "/admin/mail",
            "/admin/saga-roles",
            "/admin/dead-letters",
            "/admin/audit",
            "/admin/system",
            "/admin/settings");

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Pattern CODE = Pattern.compile("\\b[0-9]{6}\\b");

    private final TestServer server = TestServer.start(
            "--http.rate-limit.enabled=false",
            "--accounts.limits.log-ins-per-minute=10000",
            "--accounts.limits.failures-per-account=10000",
            "--mail.limits.per-domain=10000",
            "--mail.limits.in-all=10000");
    private final ApiClient admin = admin();

    private ApiClient admin() {
        return program(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD);
    }

    /** A program with a token of somebody with the {@link #PASSWORD}. */
    ApiClient program(String email) {
        return program(email, PASSWORD);
    }

    private ApiClient program(String email, String password) {
        var anonymous = anonymous();
        var token = anonymous.post(
                "/api/v1/tokens", "{'email':'%s','password':'%s','name':'tests'}".formatted(email, password));
        return anonymous.token(token.text("token"));
    }

    ApiClient anonymous() {
        return ApiClient.anonymous(URI.create(server.url()).getPort());
    }

    String url(String path) {
        return server.url() + path;
    }

    /** Makes an account with the {@link #PASSWORD}; answers its e-mail. */
    String user(String nickname) {
        return user(nickname, false);
    }

    String admin(String nickname) {
        return user(nickname, true);
    }

    private String user(String nickname, boolean isAdmin) {
        var email = "user" + COUNT.incrementAndGet() + "@example.org";
        var made = admin.post(
                "/api/v1/users",
                "{'email':'%s','nickname':'%s','password':'%s','isAdmin':%s,'currentPassword':'%s'}"
                        .formatted(email, nickname, PASSWORD, isAdmin, TestServer.ADMIN_PASSWORD));
        assertThat(made.outcome()).isEqualTo("201");
        return email;
    }

    /** Lets the sessions of an address be as if their password had been given long ago. */
    void forgetConfirmations(String email) {
        confirmed(email, "NULL");
    }

    /** Lets the sessions of an address be as if somebody had just signed in. */
    void confirm(String email) {
        confirmed(email, "now()");
    }

    private void confirmed(String email, String at) {
        server.database()
                .db()
                .useTransaction(
                        tx -> tx.update("""
                        UPDATE accounts.sessions SET confirmed_at = %s
                        WHERE user_id = (SELECT id FROM accounts.users WHERE email = :email)
                        """.formatted(at)).bind("email", email).execute());
    }

    /** Lets an account be as one that was made by an identity provider. */
    void forgetPassword(String email) {
        server.database()
                .db()
                .useTransaction(tx -> tx.update("UPDATE accounts.users SET password = '' WHERE email = :email")
                        .bind("email", email)
                        .execute());
    }

    /** Lets the passkeys of an address have signed more often than they know. */
    void raiseSignCounts(String email) {
        server.database()
                .db()
                .useTransaction(tx -> tx.update("""
                        UPDATE accounts.passkeys SET sign_count = sign_count + 100
                        WHERE user_id = (SELECT id FROM accounts.users WHERE email = :email)
                        """).bind("email", email).execute());
    }

    /** Lets another node have an export of an address, with so many posts written. */
    void exportElsewhere(String email, int posts) {
        server.database()
                .db()
                .useTransaction(tx ->
                        tx.update("""
                        INSERT INTO accounts.exports AS e (id, user_id, fence, leased_until, progress)
                        SELECT id + 1, id, 1, now() + INTERVAL '1 hour',
                               jsonb_build_array(jsonb_build_object('name', 'posts', 'items', CAST(:posts AS int), 'done', false))
                        FROM accounts.users WHERE email = :email
                        ON CONFLICT (id) DO UPDATE SET progress = excluded.progress
                        """).bind("posts", posts).bind("email", email).execute());
    }

    /** The code in the newest mail to an address. */
    String codeFor(String email) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> newestMail(email).map(Mail::text).flatMap(PagesServer::code), Optional::isPresent)
                .orElseThrow();
    }

    /** The newest mail to an address with this subject. */
    Mail mail(String email, String subject) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(
                        () -> newestMail(email),
                        mail -> mail.filter(found -> found.subject().equals(subject))
                                .isPresent())
                .orElseThrow();
    }

    private Optional<Mail> newestMail(String email) throws IOException {
        var folder = server.data().resolve("mail");
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".eml"))
                    .sorted(Comparator.reverseOrder())
                    .map(PagesServer::read)
                    .filter(mail -> mail.to().equals(email))
                    .findFirst();
        }
    }

    /** The subjects of mails to an address, sent or not. */
    List<String> mails(String email) {
        return server.database()
                .db()
                .read(reads -> reads.query("SELECT subject FROM platform.mails WHERE to_address = :email")
                        .bind("email", email)
                        .mapTo(String.class)
                        .list());
    }

    private static Mail read(Path file) {
        try (var stream = Files.newInputStream(file)) {
            var message = new MimeMessage(null, stream);
            return new Mail(message.getRecipients(RecipientType.TO)[0].toString(), message.getSubject(), text(message));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (MessagingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(Part part) throws IOException, MessagingException {
        if (part.getContent() instanceof Multipart parts) {
            return text(parts.getBodyPart(0));
        }
        return part.getContent().toString();
    }

    private static Optional<String> code(String text) {
        return CODE.matcher(text).results().map(hit -> hit.group()).findFirst();
    }

    @Override
    public void close() {
        server.close();
    }

    record Mail(String to, String subject, String text) {}
}
