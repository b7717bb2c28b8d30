package io.hiroba.accounts.signin;

import io.hiroba.platform.http.ClientAddress;
import io.javalin.http.Context;

/**
 * Where a request came from, as far as it can be told.
 *
 * @param address shown to the owner of a session
 * @param bucket what attempts are counted by
 * @param agent what the program calls itself
 */
public record Client(String address, String bucket, String agent) {

    private static final int MAX_AGENT = 300;
    private static final int MAX_ADDRESS = 50;

    public Client {
        address = address.substring(0, Math.min(address.length(), MAX_ADDRESS));
        agent = printable(agent);
    }

    public static Client of(Context ctx, ClientAddress addresses) {
        var agent = ctx.userAgent();
        return new Client(addresses.of(ctx).getHostAddress(), addresses.bucket(ctx), agent == null ? "" : agent);
    }

    private static String printable(String agent) {
        var ascii = agent.replaceAll("[^\\x20-\\x7E]", "?");
        return ascii.substring(0, Math.min(ascii.length(), MAX_AGENT));
    }
}
