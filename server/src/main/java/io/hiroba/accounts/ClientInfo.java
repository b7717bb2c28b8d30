package io.hiroba.accounts;

import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.RequestId;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.i18n.Language;
import io.javalin.http.Context;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The client of a request.
 *
 * @param address shown to the owner of a session
 * @param bucket the key of rate limits
 * @param agent the User-Agent
 * @param language in which it reads answers and the mails that it asks for
 * @param device the secret of a browser that has signed in before
 * @param requestId the id of the request in the access log; empty if there is none
 */
public record ClientInfo(
        String address,
        String bucket,
        String agent,
        Language language,
        @Nullable BearerSecret device,
        String requestId) {

    private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x20-\\x7E]");
    private static final int MAX_AGENT = 300;
    private static final int MAX_ADDRESS = 50;

    public ClientInfo {
        address = address.substring(0, Math.min(address.length(), MAX_ADDRESS));
        agent = printable(agent);
    }

    /** A client that is not known to any account. */
    public ClientInfo(String address, String bucket, String agent, Language language) {
        this(address, bucket, agent, language, null, "");
    }

    /** The client of a request. */
    public static ClientInfo of(Context ctx, ClientAddress addresses) {
        var agent = ctx.userAgent();
        return new ClientInfo(
                addresses.of(ctx).getHostAddress(),
                addresses.bucket(ctx),
                agent == null ? "" : agent,
                RequestLanguage.of(ctx),
                KnownDevices.read(ctx).orElse(null),
                RequestId.of(ctx));
    }

    /** Where the client is, for the audit log. */
    Caller.Origin origin() {
        return new Caller.Origin(address, agent, requestId, false);
    }

    static String printable(String agent) {
        var ascii = UNPRINTABLE.matcher(agent).replaceAll("?");
        return ascii.substring(0, Math.min(ascii.length(), MAX_AGENT));
    }
}
