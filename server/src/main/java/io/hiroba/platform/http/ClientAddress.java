package io.hiroba.platform.http;

import io.javalin.http.Context;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells which address a request came from. {@code X-Forwarded-For} is read from its right end, and only as far as
 * trusted proxies wrote it, since everything left of that is the client's own word.
 */
public final class ClientAddress {

    private final List<Network> trusted;

    public ClientAddress(List<String> trustedProxies) {
        this.trusted = networks(trustedProxies);
    }

    static List<Network> networks(List<String> texts) {
        return texts.stream().map(Network::parse).toList();
    }

    public InetAddress of(Context ctx) {
        var address = InetAddress.ofLiteral(bare(ctx.req().getRemoteAddr()));
        var forwarded = hops(ctx);
        for (int i = forwarded.size() - 1; i >= 0 && isTrusted(address); i--) {
            var hop = literal(forwarded.get(i));
            if (hop == null) {
                break;
            }
            address = hop;
        }
        return address;
    }

    /** Whether the request was made on this machine and not handed on by a proxy. */
    boolean isLocal(Context ctx) {
        return of(ctx).isLoopbackAddress() && ctx.header("X-Forwarded-For") == null && ctx.header("Forwarded") == null;
    }

    /** What to count requests by: an IPv4 address, or the /64 that an IPv6 client owns as a whole. */
    public String bucket(Context ctx) {
        var address = of(ctx);
        if (!(address instanceof Inet6Address)) {
            return address.getHostAddress();
        }
        var prefix = Arrays.copyOf(Arrays.copyOf(address.getAddress(), 8), 16);
        return literalOf(prefix) + "/64";
    }

    private boolean isTrusted(InetAddress address) {
        return trusted.stream().anyMatch(network -> network.contains(address));
    }

    private static List<String> hops(Context ctx) {
        if (ctx.req().getHeader("X-Forwarded-For") == null) {
            return List.of();
        }
        var values = Collections.list(ctx.req().getHeaders("X-Forwarded-For"));
        return Arrays.stream(String.join(",", values).split(",", -1))
                .map(String::strip)
                .toList();
    }

    private static @Nullable InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(bare(text));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String bare(String text) {
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    private static String literalOf(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are an address", e);
        }
    }
}
