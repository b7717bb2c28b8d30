package io.hiroba.saga.pages;

import io.hiroba.saga.call.Service;
import org.jspecify.annotations.Nullable;

/**
 * A service in the list.
 *
 * @param endpoint null where this program carries out its steps itself
 * @param isFixed whether it cannot be changed here
 */
public record ServiceItem(String name, @Nullable String endpoint, String origin, boolean isFixed) {

    static ServiceItem of(Service service) {
        var endpoint = service.endpoint();
        return new ServiceItem(
                service.name(),
                endpoint == null ? null : endpoint.toString(),
                switch (service.origin()) {
                    case LOCAL -> "Built in";
                    case CONFIGURED -> "From the configuration";
                    case REGISTERED -> "Registered";
                },
                service.origin() != Service.Origin.REGISTERED);
    }
}
