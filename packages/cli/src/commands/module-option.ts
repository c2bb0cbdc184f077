import { Option } from 'commander';
import { CONVENTION } from '../root-module';

/** `--module`, as all commands that load the application have it. */
export function moduleOption(): Option {
  return new Option('--module <path#Export>', "the root module, from the project's folder").default(
    CONVENTION,
  );
}
